// The page of results. In: folders that experiments wrote; out: one Markdown page, generated from
// table.json and cost.json alone.
#pragma once

#include <span>
#include <string>

namespace evenkeel::experiment {

// A folder without tables is a data error.
std::string results_page(std::span<const std::string> folders);

}  // namespace evenkeel::experiment
