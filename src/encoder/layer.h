// One graph layer of one side. In: its rows as they are formed; out: sums of them for the other
// side's rows. In half width a layer keeps its rows in bf16, times 1/sqrt(degree) already, so that
// a neighbour costs half the bytes and no look at its degree.
#pragma once

#include <span>

#include "base/matrix.h"
#include "cluster/shares.h"
#include "kernels/half.h"

namespace evenkeel::encoder {

class Layer {
 public:
  // Layer 0: the trainable table, and a half-width copy of it if asked for.
  Layer(Matrix table, bool half_width);
  // A later layer: in one width only.
  Layer(std::size_t rows, std::size_t dim, bool half_width);

  Matrix& table() { return full_; }
  const Matrix& table() const { return full_; }
  std::size_t stride() const { return stride_; }

  // sum = sum over ids of scale[id] * row(id), with the scales that keep() was given. `more` ids
  // follow in memory and are summed next.
  void sum(std::span<const Row> ids, std::size_t more, const float* scale, float* sum) const;
  // to += factor * row(r), where scale is what keep() was given, and not 0.
  void add_row(std::size_t r, float factor, float scale, float* to) const;

  // A later layer's row r is formed in form(r, scratch) and then kept.
  float* form(std::size_t r, float* scratch) { return half_.empty() ? full_.row(r) : scratch; }
  void keep(std::size_t r, float scale, const float* values);
  // The rows that neighbours sum, of which ranks have kept theirs.
  cluster::Share share(std::span<const std::size_t> cuts);

 private:
  std::size_t stride_ = 0;
  Matrix full_;
  AlignedArray<kernels::Half> half_;
};

}  // namespace evenkeel::encoder
