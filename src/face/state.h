// The inside of a Recommender. In: a model; out: what its functions work on.
#pragma once

#include <utility>

#include "face/access.h"

namespace evenkeel {

struct Recommender::State {
  explicit State(Model given) : model(std::move(given)) {}
  Model model;
};

}  // namespace evenkeel
