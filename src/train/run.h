// One training run from data to run folder: read -> dataset -> split -> train -> evaluate ->
// record. In: a data path and settings; out: the run folder of docs/formats.md and its result.
#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/settings.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "model/model.h"
#include "train/observer.h"
#include "train/shared_extractors.h"

namespace evenkeel::train {

class RunFolder;

// Every option of a run: data, sampling, encoder, loss, optimizer, training. From the registries.
Settings run_settings();

struct RunRequest {
  std::string data;  // a folder or an interactions file; empty where the data comes by hand
  std::string out;   // the run folder; made if missing
  bool resume = false;
  bool overwrite = false;                  // a finished run in `out` is an error otherwise
  SharedExtractors* extractors = nullptr;  // of a search; a run alone trains its own
  std::string start_from = {};             // a checkpoint of the same settings, made elsewhere
  std::map<std::string, std::string> notes = {};  // for the model
  bool log_in_memory = false;  // data that comes by hand is one log, cut as the settings say
  // Of a search: a run that patience has ended already is recorded with this stage's epochs.
  bool stage = false;
  RunFolder* folder = nullptr;  // `out`, where the caller has opened it already
  // Of a training over several processes: each calls train_run alike, the first one writes.
  cluster::Cluster* ranks = &cluster::alone();
};

// Returns what result.json holds. `stop` (Ctrl-C) ends after the current step with a checkpoint and
// throws Error kInterrupted.
nlohmann::json train_run(const RunRequest& request, const Settings& settings, Observer& observer,
                         const std::atomic<bool>& stop);

struct FinishedRun {
  model::Model model;     // of several ranks, each may have the vectors of its own users alone
  nlohmann::json result;  // what result.json holds
};

// The same with the model at hand. An empty `out` writes nothing; then `stop` ends training with
// the best epoch so far instead of an error (which it still is while the extractor trains: there is
// no model yet). The second form takes its data from memory.
FinishedRun fit_model(const RunRequest& request, const Settings& settings, Observer& observer,
                      const std::atomic<bool>& stop);
FinishedRun fit_model(const RunRequest& request, data::Dataset data, const Settings& settings,
                      Observer& observer, const std::atomic<bool>& stop);

}  // namespace evenkeel::train
