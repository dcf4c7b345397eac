// A step in which a tile of samples shares one draw of negatives (--shared-negatives). In:
// positives; out: their loss, and both tables moved. Tiles are independent: each is one piece of
// parallel work.
#pragma once

#include <vector>

#include "base/rng.h"
#include "step/pool_samples.h"
#include "step/step.h"

namespace evenkeel::step {

class SharedNegativesStep final : public Step {
 public:
  SharedNegativesStep(const rows::StepParts& parts, const loss::Loss& loss,
                      const data::Csr& items_of, std::uint64_t seed, std::size_t batch,
                      std::size_t negatives, std::size_t tile, double l2);

  void begin_epoch(std::uint32_t epoch) override {
    random_ = Random(seed_, Purpose::kPool, epoch);
    batch_.rows().begin_epoch();
  }
  StepResult run(std::span<const Pair> positives, std::size_t first) override;

 private:
  void one_tile(std::size_t begin, std::size_t end, int worker);

  std::uint64_t seed_;
  Random random_;
  std::size_t negatives_, tile_;
  PoolSamples batch_;
  std::size_t items_;
  std::vector<std::size_t> pool_cuts_;  // rows of the pools by rank
  struct Scratch {
    Pool pool;
    Tile tile;
  };
  std::vector<Scratch> scratch_;  // one per worker
};

}  // namespace evenkeel::step
