// One epoch: sample -> encode -> loss -> backward -> step, batch after batch.
// In: the order of positives and a kind of step; out: the epoch's loss.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/function_ref.h"
#include "cluster/cluster.h"
#include "sampler/positives.h"
#include "step/step.h"

namespace evenkeel::train {

struct EpochTotals {
  double loss = 0;          // sum over samples
  std::size_t samples = 0;  // done so far: where a resumed epoch goes on
  std::size_t capped = 0;
  bool interrupted = false;

  double mean_loss() const { return loss / static_cast<double>(samples); }
};

// Goes on from totals.samples. `after_step(totals, size)` may look; `stop` on any of the ranks ends
// all of them after the same step.
void run_epoch(std::uint32_t epoch, sampler::Positives& positives, step::Step& step,
               std::size_t batch, EpochTotals& totals, const std::atomic<bool>& stop,
               FunctionRef<void(const EpochTotals&, std::size_t)> after_step,
               cluster::Cluster& ranks = cluster::alone());

}  // namespace evenkeel::train
