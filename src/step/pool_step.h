// A step in which many samples share a pool: the positives of a batch (--negatives in-batch; a step
// may hold several batches, --accumulate) or every item (--negatives all). In: positives; out:
// their loss, and both tables moved. Tiles of samples follow each other and each is cut among the
// threads, so only one tile of logits ever exists.
#pragma once

#include <vector>

#include "step/pool_samples.h"
#include "step/step.h"

namespace evenkeel::step {

class PoolStep final : public Step {
 public:
  enum class Kind { kInBatch, kAllItems };
  PoolStep(const rows::StepParts& parts, const loss::Loss& loss, const data::Csr& items_of,
           Kind kind, std::size_t items, std::size_t batch, std::size_t pool, std::size_t tile,
           double l2);

  void begin_epoch(std::uint32_t) override { batch_.rows().begin_epoch(); }
  StepResult run(std::span<const Pair> positives, std::size_t first) override;

 private:
  void load_pool(std::span<const Row> pool);
  // `first` is the pool's first place among all pool rows; `accumulate`: another tile came before.
  void one_tile(std::size_t begin, std::size_t end, std::size_t first, bool accumulate);
  void share_tile(std::size_t begin, std::span<const std::size_t> rows);  // among ranks
  void share_pool(std::size_t first);

  Kind kind_;
  std::size_t items_, pool_samples_, tile_size_;
  PoolSamples batch_;
  Pool pool_;
  Tile tile_;
  std::vector<std::size_t> column_cuts_;  // pool places by rank
  bool own_columns_;  // the pool is all items, and each rank works on those that it owns
};

}  // namespace evenkeel::step
