// A step with negatives of its own for every positive. In: positives; out: their loss, and both
// tables moved: forward, loss and user gradients in cells of samples and items that fit the cache,
// then item gradients item by item.
#pragma once

#include <vector>

#include "base/matrix.h"
#include "sampler/negatives.h"
#include "train/batch_rows.h"
#include "train/step.h"

namespace evenkeel {

class ExactStep final : public Step {
 public:
  // Rows of the tables where they are not the data's rows (popularity classes); empty: they are.
  struct RowMaps {
    std::span<const std::uint32_t> users, items;
  };
  ExactStep(const StepParts& parts, const Loss& loss, RandomNegatives negatives, std::size_t batch,
            std::size_t per_positive, double l2, RowMaps maps = {});

  void begin_epoch(std::uint32_t epoch) override {
    negatives_.begin_epoch(epoch);
    rows_.begin_epoch();
  }
  StepResult run(std::span<const Pair> positives, std::size_t first) override;

  // The two halves of run(), for tests that bring negatives of their own: fill these, then step.
  std::span<Row> users() { return users_; }
  std::span<Row> items(std::size_t sample) {  // the positive, then its negatives
    return {items_.data() + sample * width_, width_};
  }
  StepResult step(std::size_t samples);

 private:
  void draw(std::span<const Pair> positives, std::size_t first);
  template <typename Visit>
  void each_cell(std::size_t chunk, Visit visit) const;
  void two_passes(std::size_t begin, std::size_t end, int worker);
  void one_pass(std::size_t begin, std::size_t end);
  void one_loss(std::size_t b, int worker);
  void one_loss_of_sum(std::size_t b);
  void look_ahead(std::size_t b) const;  // sample b comes soon
  Sample sample_of(std::size_t b, float positive) const;

  const Loss& loss_;
  RandomNegatives negatives_;
  std::size_t width_;
  std::size_t chunk_;        // samples
  const SumLoss* sum_loss_;  // the loss, if its exponentials need no maximum; else null
  RowMaps maps_;
  BatchRows rows_;
  std::vector<Row> users_, items_;
  Matrix compared_users_;             // by sample: unit vectors for cosine; one pass: times factor
  Matrix user_gradients_;             // by sample, before projection
  AlignedArray<float> similarities_;  // in the order of the cells; then their derivatives
  std::vector<float> lines_;          // two passes: one sample's, one line a worker
  std::vector<float> totals_;         // one pass: by sample, the sum of its exponentials
  std::vector<float> losses_;
  std::vector<std::uint8_t> capped_;
  std::vector<RandomNegatives::Scratch> draws_;  // one a worker
};

}  // namespace evenkeel
