// An observer that may look at the model while it trains. In: news; out: the model as it stands,
// for whoever asks in on_epoch().
#pragma once

#include <functional>

#include "model/model.h"
#include "train/observer.h"

namespace evenkeel::train {

class ModelObserver : public Observer {
 public:
  // Set while on_epoch() tells of an epoch of a training that is alone (no other ranks): makes a
  // model of the vectors as they stand, ranking as logged. The training goes on as if nobody had
  // asked.
  std::function<model::Model()> snapshot;
};

}  // namespace evenkeel::train
