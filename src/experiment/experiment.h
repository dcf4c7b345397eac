// The experiment. In: a plan and a folder; out: every run, table.{md,csv,tex,json} and cost.json in
// the folder. What is finished is not run again; what was stopped goes on from its checkpoint.
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiment/jobs.h"
#include "experiment/plan.h"
#include "experiment/tuner.h"

namespace evenkeel::experiment {

struct ExperimentRequest {
  Plan plan;
  std::string out;
  JobLimits limits;
  std::string command;               // how to make the same again; for cost.json
  std::function<void()> begin = {};  // of a sweep: called when all is checked, before it writes
};

struct ExperimentOutcome {
  nlohmann::json table, cost;
  std::vector<std::string> missing;   // data sets that could not be read, and why
  std::vector<std::string> failures;  // methods without figures, and why
};

// Throws kInterrupted when stopped; the same call goes on from there.
ExperimentOutcome run_experiment(const ExperimentRequest& request, ExperimentObserver& observer,
                                 const std::atomic<bool>& stop);

// What would be run: one line a cell, for --dry-run.
struct PlannedCell {
  std::string data, encoder, method;
  std::string problem;  // of the data; no numbers then
  std::size_t candidates = 0;
  Workload tuning, final_runs;
  bool measured = false;  // times are those of its finished runs, not of a rule of thumb
};
std::vector<PlannedCell> planned_cells(const ExperimentRequest& request);

// Tuning alone: every cell with its candidates, ranked on validation.
struct Ranking {
  std::string data, encoder, method, problem;
  std::vector<Options> candidates;  // best first
  std::vector<JobResult> results;   // likewise
  std::string folder;               // of the best
};
std::vector<Ranking> run_sweep(const ExperimentRequest& request, ExperimentObserver& observer,
                               const std::atomic<bool>& stop);

}  // namespace evenkeel::experiment
