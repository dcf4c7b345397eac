// From runs to a table. In: the runs of every cell of a data set and encoder; out: one block of
// table.json (figures only, the same whenever and wherever it is made) and one of cost.json.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/threads.h"
#include "experiment/tuner.h"

namespace evenkeel::experiment {

// The metrics of a table's columns, at the plan's K.
inline constexpr const char* kTableMetrics[] = {"recall", "ndcg"};

// A cell after its last run: what was chosen and the run of every seed.
struct FinishedCell {
  TunedCell tuned;
  std::vector<std::string> folders;  // one per seed
  std::vector<JobResult> runs;
  std::string error;  // why there is no figure; empty when all is well
};

struct Spread {
  double mean = 0, sd = 0;  // over seeds; sd of a sample, 0 for one value
  std::vector<double> values;
};
Spread spread_of(std::vector<double> values);

nlohmann::json block_json(const Plan& plan, const PreparedData& data, const EncoderPlan& encoder,
                          const std::vector<FinishedCell>& cells, Threads& threads);
nlohmann::json block_cost(const PreparedData& data, const EncoderPlan& encoder,
                          const std::vector<FinishedCell>& cells);

}  // namespace evenkeel::experiment
