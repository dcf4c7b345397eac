// The correction that a run ends with. In: a trained model and its validation part; out: the
// model's temperature and strength as the goal wants them, and the "dial" of result.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/threads.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "model/model.h"
#include "rank/dial.h"
#include "train/observer.h"
#include "train/options.h"

namespace evenkeel::train {

// A goal other than `logged`, or a strength that is to be chosen, needs validation pairs: a config
// error without.
void check_goal(const TrainOptions& options, const data::Dataset& data);

// Sets model.temperature (if the loss does not tell it) and model.debias. Without a validation part
// only what is given is set, and the answer is null.
nlohmann::json choose_correction(model::Model& model, const data::Dataset& data,
                                 const TrainOptions& options, Threads& threads, Observer& observer,
                                 cluster::Cluster& ranks = cluster::alone());

nlohmann::json dial_json(const rank::Dial& dial, eval::Goal goal);

}  // namespace evenkeel::train
