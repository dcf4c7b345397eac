// What a step is composed of. In: encoder, optimizers and threads, which outlive the step.
#pragma once

#include "base/threads.h"
#include "encoder/encoder.h"
#include "optim/optimizer.h"

namespace evenkeel::rows {

struct StepParts {
  encoder::Encoder& encoder;
  optim::Optimizer& users;
  optim::Optimizer& items;
  Threads& threads;
};

}  // namespace evenkeel::rows
