// Which figures of a block stand out, and how figures are written. In: a block of table.json; out:
// the best and the strongest baseline of every column, and texts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace evenkeel::experiment {

enum class Highlight { kNone, kBest, kBaseline };

// kBest: the highest mean of the column. kBaseline: the highest of the rows that are not ours; the
// second best where no row is ours. A row that is both is kBest.
Highlight highlight_of(const nlohmann::json& block, std::size_t row, const std::string& test,
                       const std::string& metric);

// The spread at rows[row][part][test][metric], when the row has figures.
const nlohmann::json* spread_at(const nlohmann::json& row, const std::string& test,
                                const std::string& metric);

std::string spread_text(const nlohmann::json& spread, const char* plus_minus);  // 0.1487 ± 0.0012
std::string improvement_text(const nlohmann::json& comparison);                 // +1.2 %
std::string p_text(double p);                                                   // 0.0240, < 0.0001
// p 0.024, Wilcoxon p 0.03 (Holm over 4), 95 % [a, b], n users
std::string significance_text(const nlohmann::json& comparison);
// By Holm's correction where the table has it. `key` is "p" (t-test) or "wilcoxon_p".
double adjusted_p(const nlohmann::json& comparison, const std::string& key);
std::string metric_title(const std::string& metric, std::size_t k);  // NDCG@20

}  // namespace evenkeel::experiment
