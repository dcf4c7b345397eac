// Plots that compare the shown methods of a data set, and the explainer of margins. In: parts of
// the report's JSON; out: plots.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/shown_methods.h"
#include "report/svg.h"

namespace evenkeel::report {

// Balanced against logged Recall over the popularity correction; no lines without fronts.
Plot fronts_plot(const nlohmann::json& data_set, const nlohmann::json& runs,
                 const std::vector<ShownMethod>& methods);
// Differences of Recall to the best method on the least biased test, with 95 % intervals; filled
// where they are beyond chance.
Plot forest_plot(const nlohmann::json& data_set, const std::vector<ShownMethod>& methods);

// Where a user may lie so that a positive item beats a negative one, without and with a margin of
// so many radians: on a circle, or on the visible half of a sphere.
Plot regions_plot(double margin, bool sphere);

}  // namespace evenkeel::report
