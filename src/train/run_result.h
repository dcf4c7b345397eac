// What a run records. In: a trained model, its data and where the training stood; out: the model
// with all that it carries, and result.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/settings.h"
#include "base/threads.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "model/model.h"
#include "train/trainer.h"

namespace evenkeel::train {

// Ids, pairs, popularity and origin; `settings` are those that read the data.
void describe_model(model::Model& model, const data::Dataset& data, const Settings& settings,
                    const std::string& source);

// {"evaluations": {...}, "groups": {...}} of every part of `data` that has interactions. Where
// ranks hold the users between them, rows travel for the time of it.
nlohmann::json evaluations_of(model::Model& model, const data::Dataset& data,
                              const eval::UserLimit& users, Threads& threads, Observer& observer,
                              cluster::Cluster& ranks = cluster::alone());

double held_out_share(const model::Model& model);  // of the log's pairs, those that did not train

// Seconds and samples over the phases of a run.
struct Effort {
  double train_seconds = 0, evaluate_seconds = 0;
  std::size_t samples = 0, epochs = 0;
  void add(const TrainingState& state);
};
nlohmann::json timing_json(const Effort& effort);  // the "timing" of result.json

nlohmann::json read_result(const std::string& path);  // a data error unless it is an object
nlohmann::json value_json(const Value& value);
nlohmann::json config_json(const Settings& settings);
// config.toml: every option that applies. A folder of parts is not split again.
std::string config_text(const Settings& settings, const std::string& source);
std::uint64_t peak_memory();
std::string processor();                             // as Linux names it; empty elsewhere
std::string absolute_path(const std::string& path);  // empty stays empty

}  // namespace evenkeel::train
