// Thresholds of SL@K. In: the vectors between two epochs; out: for each user an estimate of the
// score of the K-th place in its list (docs/methods.md section 3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "sampler/negatives.h"

namespace evenkeel::train {

class Thresholds {
 public:
  Thresholds(const data::Dataset& data, const Settings& settings, const Threads& threads);

  // Whether they are estimated anew before this epoch (from 1). Until the first time they are 0.
  bool due(int epoch) const { return epoch > 1 && (epoch - 1) % every_ == 0; }
  // The K-th largest cosine among the user's items and a sample of the others; the smallest where
  // there are fewer. Draws are keyed by epoch and user. Of the users that are held here.
  void estimate(int epoch, const Matrix& users, const Matrix& items, Threads& threads,
                std::span<float> thresholds);

 private:
  struct Scratch {  // one per worker
    std::vector<Row> items;
    std::vector<float> scores;
    sampler::RandomNegatives::Scratch draws;
  };
  float kth_score(Row user, const float* vector, const Matrix& items, Scratch& scratch) const;

  const data::Dataset& data_;
  int every_;
  std::size_t k_, sample_;
  sampler::RandomNegatives negatives_;
  std::vector<Row> ids_;        // 0, 1, 2, ...
  std::vector<float> inverse_;  // of the items' norms
  std::vector<Scratch> scratch_;
};

}  // namespace evenkeel::train
