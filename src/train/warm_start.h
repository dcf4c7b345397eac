// Yesterday's rows. In: a finished run and today's data; out: tables that begin where that run
// ended, ids matched, and parts that hold nothing it was trained on.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "model/model.h"
#include "train/observer.h"
#include "train/trainer.h"

namespace evenkeel::train {

// The rows that train (layer 0), with their ids and the pairs that trained them: of the model where
// its vectors are those rows, otherwise of the run's last checkpoint. A run that does not fit the
// settings is a config error.
model::Model starting_rows(const std::string& run, const Settings& settings);
// Whether they fit `settings`; `run` is for the error. Rows that were copied into a run folder are
// checked with it, too.
void check_starting_rows(const model::Model& rows, const Settings& settings,
                         const std::string& run);

// Pairs that trained the rows cannot be held out of what the rows already know. Where the data was
// cut here they go back to training; parts that the user made are refused.
struct CutHere {
  bool valid = false, tests = false;
};
data::Dataset keep_known_in_training(data::Dataset data, const model::Model& rows, CutHere cut,
                                     const std::string& run, Observer& observer);

// Copies the rows of known users and items into the trainer's tables. The others are folded in from
// the known rows of the other side where vectors are tables, and keep their random start elsewhere.
// Every rank calls it.
void start_from_rows(const model::Model& rows, const data::Dataset& data, Trainer& trainer,
                     Threads& threads, cluster::Cluster& ranks = cluster::alone());

// How much of a data set the rows cover.
struct StartCover {
  std::size_t users = 0, items = 0, new_users = 0, new_items = 0;
};
StartCover start_cover(const model::Model& rows, const data::Ids& users, const data::Ids& items);

// The "from" of result.json.
nlohmann::json start_json(const std::string& run, const model::Model& rows,
                          const StartCover& cover);

}  // namespace evenkeel::train
