// Runs of an experiment as jobs. In: settings and a folder each; out: results, from the folder
// where it is finished, from its checkpoint where it was stopped, and an error where it failed.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "eval/goals.h"
#include "experiment/observer.h"
#include "train/run_folder.h"
#include "train/shared_extractors.h"

namespace evenkeel::experiment {

enum class Keep { kAll, kModel };  // of a finished run's tables

struct Job {
  std::string label;
  std::string folder;
  std::string data;
  Settings settings;
  std::string record{
      train::run_files::kResult};  // or "rung-9.json": a stage of a run that may go on
  bool goes_on = false;            // from the checkpoint of the stage before
  std::string
      reusable_folder;  // a folder where the very same run may be finished; empty: there is none
  Keep keep = Keep::kModel;
  double expected_seconds = 0;  // rough, before anything is measured
};

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct JobResult {
  nlohmann::json result;  // of result.json; null when it failed or the budget was spent
  std::string error;
  bool ok() const { return result.is_object(); }
};

// The result of a job that is finished with these very settings; nothing otherwise.
std::optional<nlohmann::json> finished_result(const Job& job);

// Seconds that training and evaluation took, from a result.
double seconds_of(const nlohmann::json& result);
// Validation Recall@20 under the run's goal, the figure that chooses; nothing when there is no
// validation part.
std::optional<double> validation_of(const JobResult& result);
eval::Goal goal_of(const JobResult& result);
std::string figure_name(
    eval::Goal goal);  // "valid recall@20", with the goal where it is not `logged`

struct JobLimits {
  int jobs = 1;     // at once
  int threads = 0;  // of each; 0: the cores, shared among the jobs
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // runs end there

  void set_seconds(double seconds);  // from now; 0: no deadline
};

class JobRunner {
 public:
  JobRunner(const JobLimits& limits, ExperimentObserver& observer, const std::atomic<bool>& stop)
      : limits_(limits), observer_(observer), stop_(stop) {}

  // All jobs, in the order given; results in the same order. Throws kInterrupted when stopped.
  std::vector<JobResult> run(const std::vector<Job>& jobs);

  // Jobs that later calls will bring, for the count of runs and the time left.
  void expect(std::size_t runs, double seconds) {
    expected_runs_ += runs;
    expected_seconds_ += seconds;
  }
  bool out_of_time() const;

 private:
  friend class JobObserver;
  JobResult run_one(const Job& job);
  JobResult train(const Job& job);
  RunProgress news(const Job& job) const;

  JobLimits limits_;
  ExperimentObserver& observer_;
  const std::atomic<bool>& stop_;
  train::SharedExtractors extractors_;
  std::mutex mutex_;  // of all below and of the observer
  std::size_t done_ = 0, expected_runs_ = 0;
  double expected_seconds_ = 0;                          // of runs that are not over
  double measured_seconds_ = 0, measured_expected_ = 0;  // of runs that ran now
};

}  // namespace evenkeel::experiment
