// The inside of a Recommender. In: a model; out: what its functions work on.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "face/access.h"
#include "rank/model_lists.h"

namespace evenkeel {

struct Recommender::State {
  explicit State(model::Model given) : model(std::move(given)) {}
  model::Model model;

  // What ranking prepares once, made when it is first asked for.
  const rank::ModelLists& lists() const {
    const std::lock_guard lock(mutex);
    if (!kept) {
      Threads threads;
      kept = std::make_unique<rank::ModelLists>(model, threads);
    }
    return *kept;
  }
  mutable std::mutex mutex;
  mutable std::unique_ptr<rank::ModelLists> kept;
};

}  // namespace evenkeel
