// One training of a run: a run has one, a refit has two. In: what to train on and with which
// settings; out: a model, where its training stood, and in the run folder the record of its epochs.
#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "train/run.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace evenkeel::train {

// What all parts of a run share.
struct RunContext {
  const RunRequest& request;
  const Settings& settings;
  RunFolder& folder;
  Threads& threads;
  Observer& observer;
  const std::atomic<bool>& stop;
  cluster::Cluster& ranks;
  const model::Model* start;  // of --from: the rows to begin with; null: at random
};

// One training of a run: on what, with which settings, and where it keeps its checkpoint.
struct Phase {
  const data::Dataset& data;
  const Settings& settings;
  std::string_view checkpoint;
  std::vector<std::string> earlier;  // events of the phase before
};

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct Training {
  model::Model model;
  TrainingState state;
  nlohmann::json chosen =
      nlohmann::json::object();  // what a method chose on validation after training
  bool idle = false;             // a finished run that has nothing left to train: no model here
  nlohmann::json dial;           // the goals over strengths of the correction; null: not measured
};

// What the command changes of the settings that the run in the folder has, of those that may change
// while a training goes on and matter to more than its speed.
struct Change {
  std::string name, then, now;
};
std::vector<Change> changes(const RunContext& run);

// The first thing that changes the folder is its begin(): until then a wrong checkpoint, wrong
// settings, other data or fewer epochs than are trained are refused. A training that is stopped
// throws kInterrupted after a checkpoint.
Training train_phase(const RunContext& run, const Phase& phase);

}  // namespace evenkeel::train
