// The data of an experiment, ready to train on. In: a plan and an output folder; out: data sets
// (single files cut once, so that every seed sees the same tests).
#pragma once

#include <string>
#include <vector>

#include "base/threads.h"
#include "data/dataset.h"
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

}  // namespace evenkeel::experiment
