// One epoch: sample -> encode -> loss -> backward -> step, batch after batch.
// In: the order of positives and the parts of a step; out: the epoch's loss.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/function_ref.h"
#include "base/threads.h"
#include "data/csr.h"
#include "sampler/negatives.h"
#include "sampler/positives.h"
#include "train/exact_step.h"

namespace evenkeel {

struct EpochTotals {
  double loss = 0;          // sum over samples
  std::size_t samples = 0;  // done so far: where a resumed epoch goes on
  std::size_t capped = 0;
  bool interrupted = false;
};

class EpochRunner {
 public:
  // Rows of the encoder's tables where they are not the data's rows; empty: they are.
  struct RowMaps {
    std::span<const std::uint32_t> users, items;
  };
  EpochRunner(Positives& positives, RandomNegatives& negatives, ExactStep& step, std::size_t batch,
              std::uint64_t seed, Threads& threads, RowMaps maps = {});

  // Goes on from totals.samples. `after_step` may look at the totals; `stop` ends after a step.
  void run(std::uint32_t epoch, EpochTotals& totals, const std::atomic<bool>& stop,
           FunctionRef<void(const EpochTotals&)> after_step);
  std::size_t samples() const { return positives_.samples().size(); }  // of the current epoch
  std::size_t steps() const { return (samples() + batch_ - 1) / batch_; }
  void begin(std::uint32_t epoch);

 private:
  void fill(std::size_t first, std::size_t count);

  Positives& positives_;
  RandomNegatives& negatives_;
  ExactStep& step_;
  std::size_t batch_;
  std::uint64_t seed_;
  Threads& threads_;
  RowMaps maps_;
};

}  // namespace evenkeel
