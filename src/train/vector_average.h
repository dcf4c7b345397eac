// A running mean of vectors over the latest validations. In: the vectors of one validation after
// the other; out: their mean, which wanders less than any of them.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "base/threads.h"
#include "base/types.h"

namespace evenkeel::train {

class VectorAverage {
 public:
  // The first `window` validations count alike; from then on a new one counts 1 / window and the
  // older ones fade. A window of 1 is no average.
  explicit VectorAverage(int window) : window_(window) {}

  bool on() const { return window_ > 1; }
  void add(const Matrix& users, const Matrix& items, Threads& threads);

  // What a checkpoint keeps.
  Matrix& mean(Side side) { return side == Side::kUser ? users_ : items_; }
  std::uint32_t& count() { return count_; }  // validations so far

 private:
  int window_;
  std::uint32_t count_ = 0;
  Matrix users_, items_;
};

}  // namespace evenkeel::train
