// In: an epoch number. Out: the tables after all its steps.
#include "train/epoch.h"

#include <algorithm>

namespace evenkeel::train {
namespace {

// Samples between two questions to all ranks whether one wants to stop: each is a message that
// waits for the slowest of them, and a step of matrix factorisation takes a millisecond.
constexpr std::size_t kUnasked = 16384;

}  // namespace

void run_epoch(std::uint32_t epoch, sampler::Positives& positives, step::Step& step,
               std::size_t batch, EpochTotals& totals, const std::atomic<bool>& stop,
               FunctionRef<void(const EpochTotals&, std::size_t)> after_step,
               cluster::Cluster& ranks) {
  positives.begin_epoch(epoch);
  step.begin_epoch(epoch);
  const std::size_t size = positives.size();
  std::size_t asked = totals.samples;
  while (totals.samples < size) {
    const std::size_t count = std::min(batch, size - totals.samples);
    const step::StepResult result =
        step.run(positives.samples(totals.samples, count), totals.samples);
    totals.loss += result.loss;
    totals.samples += result.samples;
    totals.capped += result.capped;
    after_step(totals, size);
    if (!ranks.alone() && totals.samples < std::min(size, asked + kUnasked)) continue;
    asked = totals.samples;
    if (cluster::any(ranks, stop.load(std::memory_order_relaxed))) {
      totals.interrupted = true;
      return;
    }
  }
}

}  // namespace evenkeel::train
