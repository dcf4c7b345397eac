// In: an epoch number. Out: the tables after all its steps.
#include "train/epoch.h"

#include <algorithm>

namespace evenkeel {

EpochRunner::EpochRunner(Positives& positives, RandomNegatives& negatives, ExactStep& step,
                         std::size_t batch, std::uint64_t seed, Threads& threads, RowMaps maps)
    : positives_(positives),
      negatives_(negatives),
      step_(step),
      batch_(batch),
      seed_(seed),
      threads_(threads),
      maps_(maps) {}

void EpochRunner::begin(std::uint32_t epoch) {
  positives_.begin_epoch(epoch);
  negatives_.begin_epoch(seed_, epoch);
}

void EpochRunner::run(std::uint32_t epoch, EpochTotals& totals, const std::atomic<bool>& stop,
                      FunctionRef<void(const EpochTotals&)> after_step) {
  begin(epoch);
  const std::size_t size = samples();
  while (totals.samples < size) {
    const std::size_t count = std::min(batch_, size - totals.samples);
    fill(totals.samples, count);
    const StepResult result = step_.run(count);
    totals.loss += result.loss;
    totals.samples += result.samples;
    totals.capped += result.capped;
    after_step(totals);
    if (stop.load(std::memory_order_relaxed)) {
      totals.interrupted = true;
      return;
    }
  }
}

void EpochRunner::fill(std::size_t first, std::size_t count) {
  const auto samples = positives_.samples().subspan(first, count);
  const auto users = step_.users();
  threads_.for_chunks(count, 64, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto items = step_.items(b);
      users[b] = samples[b].user;
      items[0] = samples[b].item;
      negatives_.draw(samples[b].user, first + b, items.subspan(1));
      if (!maps_.users.empty()) users[b] = maps_.users[users[b]];
      if (!maps_.items.empty()) {
        for (Row& item : items) item = maps_.items[item];
      }
    }
  });
}

}  // namespace evenkeel
