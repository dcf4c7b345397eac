// A run from its data to its figures: trained once, or with a refit. In: a data set with its parts;
// out: the model as lists will use it, and what result.json says of it.
#pragma once

#include <nlohmann/json.hpp>

#include "train/phase.h"

namespace evenkeel::train {

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct Trained {
  model::Model model;
  nlohmann::json result;
  bool idle = false;  // the run was finished before, and nothing was left to train
};

Trained train_once(const RunContext& run, const data::Dataset& data);

// Chooses the epoch on validation, then trains on training and validation pairs for as many.
Trained train_with_refit(const RunContext& run, const data::Dataset& data);

}  // namespace evenkeel::train
