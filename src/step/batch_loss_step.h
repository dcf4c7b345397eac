// A step for losses that see the batch as a whole, with one negative per positive. In: positives;
// out: their loss, and both tables moved: all dot products, then the loss, then all gradients.
#pragma once

#include <optional>
#include <vector>

#include "base/matrix.h"
#include "loss/batch_loss.h"
#include "rows/batch_rows.h"
#include "sampler/negatives.h"
#include "sampler/similar.h"
#include "step/step.h"

namespace evenkeel::step {

class BatchLossStep final : public Step {
 public:
  BatchLossStep(const rows::StepParts& parts, loss::BatchLoss& loss,
                sampler::RandomNegatives negatives, std::size_t batch, double l2,
                std::optional<sampler::SimilarNegatives> similar = {});

  void begin_epoch(std::uint32_t epoch) override {
    negatives_.begin_epoch(epoch);
    if (similar_) similar_->begin_epoch(epoch);
    rows_.begin_epoch();
  }
  StepResult run(std::span<const Pair> positives, std::size_t first) override;
  // The same with negatives from outside, one per positive.
  StepResult step(std::span<const Pair> positives, std::span<const Row> negatives);

 private:
  struct Gather {
    std::vector<Row> ids;
    std::vector<float> weights;
  };
  void draw(std::span<const Pair> positives, std::size_t first);
  void update(std::size_t samples);
  std::size_t sum_user(std::span<const std::uint32_t> lines, Gather& gather, float* gradient);
  std::size_t sum_item(std::span<const std::uint32_t> entries, Gather& gather, float* gradient);

  loss::BatchLoss& loss_;
  sampler::RandomNegatives negatives_;
  std::optional<sampler::SimilarNegatives> similar_;      // takes their place if there
  std::vector<sampler::RandomNegatives::Scratch> draws_;  // one per worker
  loss::BatchLoss::Layout layout_;
  std::size_t slots_;  // lines * width
  rows::BatchRows rows_;
  std::vector<Row> drawn_, users_, items_;
  AlignedArray<float> dots_;      // [sample][line][width], then derivatives
  std::vector<Gather> gather_;    // one per worker
  Matrix old_users_, old_items_;  // by line and by slot: rows as they were before the update
};

}  // namespace evenkeel::step
