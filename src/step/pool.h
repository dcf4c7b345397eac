// Negatives that several samples share. In: a pool of item rows and a tile of samples; out: the
// tile's losses and the gradients of its users and of the pool, as three small matrix products.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "data/csr.h"
#include "rows/batch_rows.h"

namespace evenkeel::step {

// A pool of items as the products want it.
class Pool {
 public:
  Pool(std::size_t items, std::size_t most, std::size_t dim);

  // Loads these items' compared vectors and remembers where each item stands in the pool.
  void load(std::span<const Row> items, const rows::BatchRows& rows);
  void load_part(const rows::BatchRows& rows, std::size_t begin, std::size_t end);  // whole panels
  void index(std::span<const Row> items);

  std::size_t size() const { return items_.size(); }
  const Matrix& vectors() const { return vectors_; }
  const float* panels() const { return panels_.data(); }

  template <typename Visit>
  void for_places(Row item, Visit visit) const {
    // Most items a user owns are not in the pool; the bitmap says so from L1.
    if ((present_[item / 32] >> (item % 32) & 1U) == 0) return;
    for (std::uint32_t place = first_[item]; place != kNone; place = next_[place]) visit(place);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<Row> items_;      // a copy: the batch's own list changes before the next index()
  Matrix vectors_;              // by place in the pool
  AlignedArray<float> panels_;  // the same, transposed
  std::vector<std::uint32_t> first_, next_;  // item -> its places
  std::vector<std::uint32_t> present_;       // one bit per item
};

// The similarities of a tile of samples with a pool; then their derivatives.
class Tile {
 public:
  Tile(std::size_t rows, std::size_t most);

  float* row(std::size_t r) { return values_.data() + r * stride_; }
  std::size_t stride() const { return stride_; }

  // users: `count` compared vectors, one after the other; they take rows from r on.
  void compare(const Matrix& users, std::size_t first, std::size_t count, const Pool& pool,
               std::size_t panel_begin, std::size_t panel_end, std::size_t r = 0);
  // Masks what the user owns; how many are left.
  std::size_t mask(std::size_t r, const Pool& pool, std::span<const Row> owned);
  // Once rows hold derivatives: gradients.row(first + r) = sum_k derivative(r, k) * pool vector k
  void user_gradients(std::size_t begin, std::size_t end, const Pool& pool, Matrix& gradients,
                      std::size_t first) const;
  // gradients.row(at + k) = sum_r derivative(r, k) * user r, for pool places k in [begin, end)
  void pool_gradients(const Matrix& users, std::size_t first, std::size_t count, std::size_t begin,
                      std::size_t end, Matrix& gradients, std::size_t at, bool accumulate) const;

 private:
  std::size_t stride_;
  AlignedArray<float> values_;
};

}  // namespace evenkeel::step
