// The contract of a step. In: the positives of a batch; out: their loss, and the tables moved.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"
#include "rows/step_parts.h"

namespace evenkeel::step {

struct StepResult {
  double loss = 0;  // sum over the samples
  std::size_t samples = 0;
  std::size_t capped = 0;  // samples whose margin met its cap
};

class Step {
 public:
  virtual ~Step() = default;
  virtual void begin_epoch(std::uint32_t epoch) = 0;
  // `first` is the place of the first positive in the epoch: the key of every random draw.
  virtual StepResult run(std::span<const Pair> positives, std::size_t first) = 0;
};

}  // namespace evenkeel::step
