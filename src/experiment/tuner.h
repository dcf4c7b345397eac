// Tuning on validation. In: cells of one data set and encoder; out: each cell's candidates, ranked.
// Test figures are in the run records but are never looked at here.
#pragma once

#include <vector>

#include "experiment/jobs.h"
#include "experiment/prepare_data.h"
#include "experiment/search.h"

namespace evenkeel::experiment {

struct TunedCell {
  Cell cell;
  std::vector<Options> candidates;
  std::vector<JobResult> results;           // the newest of each candidate
  std::vector<Search::Place> ranking = {};  // best first

  double seconds() const {  // that tuning took
    double sum = 0;
    for (const JobResult& result : results) sum += result.ok() ? seconds_of(result.result) : 0;
    return sum;
  }
  // A cell with a single candidate has nothing to tune and is not trained for it.
  bool tunes() const { return candidates.size() > 1; }
  const Options& best() const { return candidates[ranking.front().candidate]; }
  const JobResult& best_result() const { return results[ranking.front().candidate]; }
  bool failed() const { return tunes() && !ranking.front().figure; }
};

std::vector<TunedCell> tune_cells(const Plan& plan, const PreparedData& data,
                                  const std::vector<Cell>& cells, const std::string& out,
                                  JobRunner& runner);

// Where a candidate was trained.
std::string tuning_folder(const Plan& plan, const TunedCell& tuned, const Options& candidate,
                          const std::string& out);

// Runs and rough seconds that tuning these cells takes, and how many of the runs are done.
struct Workload {
  std::size_t runs = 0, done = 0;
  double seconds = 0;  // of the runs that are not done
};
Workload tuning_workload(const Plan& plan, const PreparedData& data, const Cell& cell,
                         const std::string& out);

}  // namespace evenkeel::experiment
