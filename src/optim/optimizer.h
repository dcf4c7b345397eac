// The contract of an optimizer of one table. In: gradients of the rows a step touched; out: the
// table as if every row had been moved in every step, with no sweep over rows that were not needed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "base/row_consumer.h"
#include "base/threads.h"

namespace evenkeel::optim {

// What a checkpoint keeps: named views of the optimizer's own state.
struct OptimizerState {
  std::vector<std::pair<std::string, Matrix*>> matrices;
  std::vector<std::pair<std::string, std::vector<std::uint32_t>*>> counters;
  std::uint32_t* step = nullptr;
  std::vector<std::string> never_negative = {};  // of the matrices: sums of squares
};

class Optimizer : public RowConsumer {
 public:
  virtual void reserve_steps(std::size_t steps) = 0;  // room for so many more, so none allocates
  // Steps after this one use `factor` times the rate before them.
  virtual void slow_down(std::uint32_t step, double factor) = 0;
  virtual void begin_step() = 0;
  // Brings rows to where they stand just before the current step. Must precede reading them.
  virtual void catch_up(std::span<const Row> rows) = 0;
  // Adds those of the rows that catch_up would move.
  virtual void collect_stale_rows(std::span<const Row> rows, std::vector<Row>& stale) const = 0;
  // After a step: brings every row to where it stands now.
  virtual void finish(Threads& threads) = 0;
  virtual OptimizerState state() = 0;
};

}  // namespace evenkeel::optim
