// Plots that compare all methods of a data set, the explainer of margins, and sheets of several
// plots. In: parts of the report's JSON; out: plots.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/svg.h"

namespace evenkeel::report {

using ColourOf = std::function<std::string_view(const std::string& label)>;

// Balanced against logged Recall over the popularity correction; no lines without fronts.
Plot fronts_plot(const nlohmann::json& data_set, const nlohmann::json& runs,
                 const ColourOf& colour);
// Differences of Recall to the best method on the least biased test, with 95 % intervals.
Plot forest_plot(const nlohmann::json& data_set, const ColourOf& colour);

// Where a user may lie so that a positive item beats a negative one, without and with a margin of
// so many radians: on a circle, or on the visible half of a sphere.
Plot regions_plot(double margin, bool sphere);

// Plots side by side, each at half its size, `columns` in a row.
std::string sheet_svg(const std::vector<std::string>& plots, std::size_t columns);

// What softmax and BC loss ask for as margins grow, on a circle and on a sphere.
std::string margin_sheet();

}  // namespace evenkeel::report
