// What a step is composed of. In: encoder, optimizers, threads and ranks, which outlive the step.
#pragma once

#include "base/threads.h"
#include "cluster/cluster.h"
#include "encoder/encoder.h"
#include "optim/optimizer.h"

namespace evenkeel::rows {

struct StepParts {
  encoder::Encoder& encoder;
  optim::Optimizer& users;
  optim::Optimizer& items;
  Threads& threads;
  cluster::Cluster& ranks = cluster::alone();
};

}  // namespace evenkeel::rows
