// In: gradients of touched rows. Out: the table, exact for every row that is read.
#include "optim/adam.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace evenkeel::optim {

Adam::Adam(Matrix& table, double learning_rate)
    : table_(table),
      learning_rates_{{0, learning_rate}},
      m_(table.rows(), table.dim(), table.held()),
      v_(table.rows(), table.dim(), table.held()),
      last_(table.rows(), 0),
      steps_(1) {}

void Adam::reserve_steps(std::size_t steps) {
  steps_.reserve(step_ + steps + 1);
  fades_.reserve(step_ + steps + 1);
}

void Adam::slow_down(std::uint32_t step, double factor) {
  EVENKEEL_CHECK(step >= learning_rates_.back().after && steps_.size() <= std::size_t{step} + 1);
  learning_rates_.push_back({step, learning_rates_.back().value * factor});
}

void Adam::begin_step() {
  ++step_;
  tabulate_steps();
  fades_.extend(rates_, steps_, step_ - 1);
}

void Adam::tabulate_steps() {
  while (steps_.size() <= step_) {
    const double t = static_cast<double>(steps_.size());
    auto rate = learning_rates_.rbegin();
    while (rate->after >= steps_.size()) ++rate;
    steps_.push_back(
        {static_cast<float>(rate->value / (1.0 - std::pow(double{rates_.beta1}, t))),
         static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(double{rates_.beta2}, t)))});
  }
}

void Adam::replay(Row row, std::uint32_t until, Row ahead) {
  const std::uint32_t last = last_[row];
  if (last == 0 || last >= until) return;  // moments that are still zero do not move a row
  const std::uint32_t one_by_one = std::min(until, SkippedSteps::replayed_until(last));
  if (last < one_by_one) {
    kernels::adam_replay(rates_, steps_.data() + last + 1, one_by_one - last, tables(), row);
  }
  if (one_by_one < until) {
    kernels::adam_skip(rates_, fades_.from(rates_, one_by_one), tables(), row, ahead);
  }
  last_[row] = until;
}

void Adam::prefetch(Row row) const {
  for (const Matrix* table : {&std::as_const(table_), &m_, &v_}) {
    prefetch_row(table->row(row), table->stride());
  }
}

void Adam::collect_stale_rows(std::span<const Row> rows, std::vector<Row>& stale) const {
  for (const Row row : rows) {
    if (last_[row] != 0 && last_[row] + 1 < step_) stale.push_back(row);
  }
}

void Adam::catch_up(std::span<const Row> rows) {
  constexpr std::size_t kAhead = 8;  // rows are random, and each has lines in three tables
  for (std::size_t k = 0; k < rows.size(); ++k) {
    replay(rows[k], step_ - 1, rows[std::min(k + kAhead, rows.size() - 1)]);
  }
}

void Adam::finish(Threads& threads) {
  tabulate_steps();  // a restored optimizer may be asked before its first step
  fades_.extend(rates_, steps_, step_);
  threads.for_chunks(table_.rows(), 256, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t row = begin; row < end; ++row)
      replay(static_cast<Row>(row), step_, static_cast<Row>(std::min(row + 1, end - 1)));
  });
}

void Adam::consume(const RowGradients& block) {
  kernels::adam_rows(rates_, steps_[step_], tables(), block.rows.data(), block.rows.size(),
                     block.gradients, block.decay);
  for (const Row row : block.rows) last_[row] = step_;
}

void Adam::consume_sums(const RowSums& sums) {
  kernels::adam_sums(rates_, steps_[step_], tables(), sums);
  for (const Row row : sums.rows) last_[row] = step_;
}

OptimizerState Adam::state() {
  return {{{"m", &m_}, {"v", &v_}}, {{"last", &last_}}, &step_, {"v"}};
}

}  // namespace evenkeel::optim
