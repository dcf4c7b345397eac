// Ours against the strongest baseline, user by user. In: finished cells and their saved models;
// out: improvement, t-test, signed-rank test and bootstrap interval of every test and metric.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "experiment/table_block.h"

namespace evenkeel::experiment {

// {"evaluations", "groups"} of every run of the cell at the plan's k: from result.json for k = 20,
// from the saved models otherwise.
std::vector<nlohmann::json> figures_at(const Plan& plan, const PreparedData& data,
                                       const FinishedCell& cell, Threads& threads);

// The row that stands for ours: the one of ours with the best validation figure, so that the test
// has no say in it. Without rows marked ours, the best on validation of all. Nothing when all
// failed. `rows` are those of the block.
std::optional<std::size_t> our_row(const nlohmann::json& rows);
// The best other row (not ours) by a test's metric.
std::optional<std::size_t> strongest_baseline(const nlohmann::json& rows, std::size_t ours,
                                              const std::string& test, const char* metric);

nlohmann::json compare_with_baselines(const Plan& plan, const PreparedData& data,
                                      const std::vector<FinishedCell>& cells,
                                      const nlohmann::json& rows, Threads& threads);

// Gives every comparison of the table its p-values by Holm's correction over all of them ("p_holm",
// "wilcoxon_p_holm") and their number ("family"). A table that has them gets the same again.
void adjust_comparisons(nlohmann::json& table);

}  // namespace evenkeel::experiment
