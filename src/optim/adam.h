// Adam whose untouched rows wait: they make up for their zero-gradient steps when next needed.
// In: gradients of the rows a step touched; out: moved rows.
#pragma once

#include "kernels/adam.h"
#include "optim/optimizer.h"
#include "optim/skipped_steps.h"

namespace evenkeel::optim {

class Adam final : public Optimizer {
 public:
  Adam(Matrix& table, double learning_rate);

  void reserve_steps(std::size_t steps) override;
  void slow_down(std::uint32_t step, double factor) override;
  void begin_step() override;
  void catch_up(std::span<const Row> rows) override;
  void collect_stale_rows(std::span<const Row> rows, std::vector<Row>& stale) const override;
  void finish(Threads& threads) override;
  void consume(const RowGradients& block) override;
  void prefetch(Row row) const override;
  bool takes_sums() const override { return true; }
  void consume_sums(const RowSums& sums) override;
  OptimizerState state() override;

 private:
  void tabulate_steps();
  void replay(Row row, std::uint32_t until, Row ahead);
  kernels::AdamTables tables() { return {table_.data(), m_.data(), v_.data(), table_.stride()}; }

  Matrix& table_;
  struct Rate {
    std::uint32_t after;  // the step it follows
    double value;
  };
  std::vector<Rate> learning_rates_;  // ascending; the first follows step 0
  kernels::AdamRates rates_;
  Matrix m_, v_;
  std::vector<std::uint32_t> last_;       // the step a row stands at; 0: never touched
  std::vector<kernels::AdamStep> steps_;  // by step number; [0] is unused
  SkippedSteps fades_;
  std::uint32_t step_ = 0;
};

}  // namespace evenkeel::optim
