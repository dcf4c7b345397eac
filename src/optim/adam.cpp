// In: gradients of touched rows. Out: the table, exact for every row that is read.
#include "optim/adam.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace evenkeel {
namespace {

// After this many steps without a gradient the first moment has shrunk by 0.9^200 = 7e-10: what is
// left of its pull is far below the resolution of a float row, so only the moments go on fading.
constexpr std::uint32_t kReplayed = 200;

}  // namespace

Adam::Adam(Matrix& table, double learning_rate)
    : table_(table),
      learning_rate_(learning_rate),
      m_(table.rows(), table.dim()),
      v_(table.rows(), table.dim()),
      last_(table.rows(), 0),
      steps_(1) {}

void Adam::reserve_steps(std::size_t steps) {
  steps_.reserve(step_ + steps + 1);
}

void Adam::begin_step() {
  ++step_;
  tabulate_steps();
}

void Adam::tabulate_steps() {
  while (steps_.size() <= step_) {
    const double t = static_cast<double>(steps_.size());
    steps_.push_back(
        {static_cast<float>(learning_rate_ / (1.0 - std::pow(double{rates_.beta1}, t))),
         static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(double{rates_.beta2}, t)))});
  }
}

void Adam::replay(Row row, std::uint32_t until) {
  const std::uint32_t last = last_[row];
  if (last == 0 || last >= until) return;  // moments that are still zero do not move a row
  const std::uint32_t missed = until - last;
  const std::uint32_t replayed = std::min(missed, kReplayed);
  kernels::adam_replay(rates_, steps_.data() + last + 1, replayed, table_.stride(), table_.row(row),
                       m_.row(row), v_.row(row));
  if (missed > replayed) {
    const double rest = missed - replayed;
    const float fade1 = static_cast<float>(std::pow(double{rates_.beta1}, rest));
    const float fade2 = static_cast<float>(std::pow(double{rates_.beta2}, rest));
    for (float& value : m_.values(row)) {
      value *= fade1;
      if (std::abs(value) < 1e-30F) value = 0;  // denormals would cost a hundred cycles each
    }
    for (float& value : v_.values(row)) value *= fade2;
  }
  last_[row] = until;
}

void Adam::catch_up(std::span<const Row> rows) {
  for (const Row row : rows) replay(row, step_ - 1);
}

void Adam::finish(Threads& threads) {
  tabulate_steps();  // a restored optimizer may be asked before its first step
  threads.for_chunks(table_.rows(), 256, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t row = begin; row < end; ++row) replay(static_cast<Row>(row), step_);
  });
}

void Adam::consume(const RowGradients& block) {
  for (std::size_t k = 0; k < block.rows.size(); ++k) {
    const Row row = block.rows[k];
    kernels::adam_row(rates_, steps_[step_], block.gradients + k * block.stride, block.decay[k],
                      table_.stride(), table_.row(row), m_.row(row), v_.row(row));
    last_[row] = step_;
  }
}

OptimizerState Adam::state() {
  return {{{"m", &m_}, {"v", &v_}}, {{"last", &last_}}, &step_};
}

}  // namespace evenkeel
