// A step with negatives of its own for every positive. In: positives; out: their loss, and both
// tables moved: similarities, loss and user gradients sample by sample, then item gradients item by
// item.
#pragma once

#include <vector>

#include "base/matrix.h"
#include "rows/batch_rows.h"
#include "sampler/negatives.h"
#include "step/step.h"

namespace evenkeel::step {

class OwnNegativesStep final : public Step {
 public:
  // Rows of the tables where they are not the data's rows (popularity classes); empty: they are.
  struct RowMaps {
    std::span<const std::uint32_t> users, items;
  };
  OwnNegativesStep(const rows::StepParts& parts, const loss::Loss& loss,
                   sampler::RandomNegatives negatives, std::size_t batch, std::size_t per_positive,
                   double l2, RowMaps maps = {});

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
  void share(std::span<const std::size_t> cuts);  // what each rank's samples gave, with all
  void slice(std::size_t begin, std::size_t end, std::size_t samples, int worker);
  // Both for samples [begin, end) of `samples`; rows of those that follow are fetched early.
  void one_pass(std::size_t begin, std::size_t end, std::size_t samples);
  void two_passes(std::size_t begin, std::size_t end, std::size_t samples);
  void finish_sample(std::size_t b);
  rows::RowUpdate::Sums user_sums() const { return {user_gradients_.data()}; }
  float* derivatives(std::size_t b) { return derivatives_.data() + b * width_; }
  loss::Sample sample_of(std::size_t b, float positive) const;

  const loss::Loss& loss_;
  sampler::RandomNegatives negatives_;
  std::size_t width_;
  std::size_t slice_;  // samples
  const loss::PartitionLoss*
      partition_loss_;  // the loss, if its exponentials need no maximum; else null
  RowMaps maps_;
  rows::BatchRows rows_;
  std::vector<Row> users_, items_;
  Matrix compared_users_;            // by sample: unit vectors for cosine; one pass: times factor
  Matrix user_gradients_;            // by sample, before projection
  AlignedArray<float> derivatives_;  // by sample: of the positive's similarity, then negatives'
  std::vector<float> totals_;        // one pass: by sample, the sum of its exponentials
  std::vector<float> losses_;
  std::vector<std::uint8_t> capped_;
  std::vector<sampler::RandomNegatives::Scratch> draws_;  // one per worker
};

}  // namespace evenkeel::step
