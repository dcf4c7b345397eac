// The contract of a loss. In: the similarities of one positive pair and its negatives; out: the
// sample's loss and its derivative with respect to each similarity. Vectors, negatives' draws and
// parameter updates are not its business, so a loss reads like its formula in docs/methods.md.
#pragma once

#include <cstddef>
#include <span>

#include "base/types.h"

namespace evenkeel::loss {

enum class Similarity { kCosine, kDot };

struct Sample {
  Row user = 0, item = 0;            // the positive pair
  float positive = 0;                // its similarity
  const float* negatives = nullptr;  // `count` similarities; -infinity marks one that is masked
  std::size_t count = 0;
  std::size_t unmasked = 0;  // how many of them are not masked

  // Written by the loss.
  float d_positive = 0;          // dL / d(positive)
  float* d_negatives = nullptr;  // dL / d(negatives[k]); may be the array `negatives` itself
  float factor = 0;              // compute_from_sum(): dL / d(s_k) = factor * exp((s_k - 1) / tau)
  bool capped = false;           // BC: angle and margin pass pi, where the paper caps
};

// A softmax over cosines needs no more of its negatives than negative_sum = sum_k exp((s_k - 1) /
// tau), so that a step may form it, and gradients but for a factor, in one pass.
class PartitionLoss {
 public:
  virtual ~PartitionLoss() = default;
  virtual float tau() const = 0;
  // What compute() does, from the positive and that sum alone.
  virtual float compute_from_sum(Sample& sample, float negative_sum) const = 0;  // thread-safe
};

class Loss {
 public:
  virtual ~Loss() = default;
  virtual Similarity similarity() const = 0;
  virtual float compute(Sample& sample) const = 0;  // thread-safe
  virtual const PartitionLoss* partition_loss() const {
    return nullptr;
  }                                         // itself, where the sum is enough
  virtual void prefetch(Row, Row) const {}  // a sample of this user and item comes soon
  // For a loss that goes by the score of the K-th place in a user's list: that score by user, which
  // training estimates between epochs and keeps in checkpoints. Empty: it does not.
  virtual std::span<float> thresholds() { return {}; }
};

}  // namespace evenkeel::loss
