// The data of an experiment, ready to train on, and the folders of its runs. In: a plan and an
// output folder; out: data sets (single files cut once, so that every seed sees the same tests).
#pragma once

#include <string>
#include <vector>

#include "base/threads.h"
#include "data/dataset.h"
#include "experiment/jobs.h"
#include "experiment/plan.h"

namespace evenkeel::experiment {

struct PreparedData {
  const DataPlan* plan = nullptr;
  std::string path;  // what runs are given
  data::Dataset data;
  std::vector<std::string> tests;
  std::string error;  // missing or unreadable; the rest is empty then
};

// Reads every data set; a missing one keeps its error and the others go on. A test that a data set
// does not have is a config error. With an empty `out` nothing is written.
std::vector<PreparedData> prepare_data(const Plan& plan, const std::string& out, Threads& threads);

// DATA_ROOT/path, or the path itself when it is absolute.
std::string data_path(const Plan& plan, const DataPlan& data);

// OUT/STAGE/data/encoder/method
std::string method_folder(const std::string& out, std::string_view stage, const Cell& cell);
// In it words-hash: the same options always have the same folder.
std::string run_folder(const std::string& out, std::string_view stage, const Cell& cell,
                       std::string_view words, const Settings& settings);

// Rough seconds of a run on this machine, from the loss, the negatives and the number of training
// interactions; training is taken to stop early, after 60 epochs.
double expected_seconds(const Settings& settings, std::size_t interactions);

}  // namespace evenkeel::experiment
