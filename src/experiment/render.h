// Tables for people and papers. In: table.json and cost.json; out: Markdown, CSV and LaTeX.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace evenkeel::experiment {

// For every data set and encoder: the main table (best bold, strongest baseline underlined,
// improvement and significance below it), what was chosen, head/mid/tail, and the cost.
// `level` is that of the headings.
std::string table_markdown(const nlohmann::json& table, const nlohmann::json& cost, int level = 1);

// One line for every data set, encoder and test of a table: ours, the best baseline and what is
// published, each with its Recall. Blocks without a row of ours have none.
std::string overview_header();
std::string overview_rows(const nlohmann::json& table);

// One line per block, method, part, group and metric: mean, sd and the paper's figure.
std::string table_csv(const nlohmann::json& table);

std::string table_tex(const nlohmann::json& table);

}  // namespace evenkeel::experiment
