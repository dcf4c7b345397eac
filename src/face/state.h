// The inside of a Recommender. In: a model; out: what its functions work on.
#pragma once

#include <utility>

#include "face/access.h"

namespace evenkeel {

struct Recommender::State {
  explicit State(model::Model given) : model(std::move(given)) {}
  model::Model model;
};

}  // namespace evenkeel
