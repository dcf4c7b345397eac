// One step with negatives of its own for every positive. In: positives and their negatives; out:
// the loss, and both tables moved: forward, loss and user gradients sample by sample, then item
// gradients item by item, each handed to the optimizer while it is still in cache.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "encoder/encoder.h"
#include "loss/loss.h"
#include "optim/optimizer.h"
#include "train/grouping.h"
#include "train/row_update.h"

namespace evenkeel {

struct StepResult {
  double loss = 0;  // sum over the samples
  std::size_t samples = 0;
  std::size_t capped = 0;  // samples whose margin met its cap
};

// The parts a step composes; they outlive it.
struct StepParts {
  Encoder& encoder;
  const Loss& loss;
  Optimizer& users;
  Optimizer& items;
  Threads& threads;
};

class ExactStep {
 public:
  ExactStep(const StepParts& parts, std::size_t batch, std::size_t negatives, double l2);

  // The caller fills these for up to `batch` samples before run(): rows of the encoder's tables.
  std::span<Row> users() { return users_; }
  std::span<Row> items(std::size_t sample) {  // the positive, then its negatives
    return {items_.data() + sample * width_, width_};
  }
  StepResult run(std::size_t samples);

 private:
  void refresh(std::size_t samples);
  double forward(std::size_t samples);
  void update(std::size_t samples);

  StepParts parts_;
  std::size_t width_;
  double l2_;
  bool cosine_;
  std::vector<Row> users_, items_;
  Grouping user_groups_, item_groups_;
  std::vector<Row> touched_users_, touched_items_;
  std::vector<float> user_scale_, item_scale_;  // 1 / norm by row; cosine only
  Matrix compared_users_;                       // by sample: unit vectors for cosine
  Matrix user_gradients_;                       // by sample, before projection
  AlignedArray<float> similarities_;            // [sample][width], then their derivatives
  std::vector<float> losses_;
  std::vector<std::uint8_t> capped_;
  RowUpdate row_update_;
  struct Gather {  // one row's entries, as the kernels want them
    std::vector<Row> ids;
    std::vector<float> weights;
  };
  std::vector<Gather> gather_;  // one a worker
};

}  // namespace evenkeel
