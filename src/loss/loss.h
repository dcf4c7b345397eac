// The contract of a loss. In: the similarities of one positive pair and its negatives; out: the
// sample's loss and its derivative with respect to each similarity. Vectors, negatives' draws and
// parameter updates are not its business, so a loss reads like its formula in METHODS.
#pragma once

#include <cstddef>

#include "base/types.h"

namespace evenkeel {

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
  bool capped = false;           // BC: angle and margin pass pi, where the paper caps
};

class Loss {
 public:
  virtual ~Loss() = default;
  virtual Similarity similarity() const = 0;
  virtual float compute(Sample& sample) const = 0;  // thread-safe
};

}  // namespace evenkeel
