// Plots of the shown methods of a data set. In: parts of the report's JSON; out: plots.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/shown_methods.h"
#include "report/svg.h"

namespace evenkeel::report {

using Methods = std::vector<ShownMethod>;

// Recall on a part with intervals over users; `named`: names below the bars, else the legend alone.
std::optional<Plot> quality_plot(const Methods& methods, const std::string& part, bool named);
std::optional<Plot> groups_plot(const Methods& methods, const std::string& part);
std::optional<Plot> pareto_plot(const Methods& methods, const std::string& part);
std::optional<Plot> lorenz_plot(const nlohmann::json& data_set, const Methods& methods);
std::optional<Plot> lift_plot(const Methods& methods);
// `figure` of every epoch: "loss" or "recall".
std::optional<Plot> training_plot(const Methods& methods, const char* figure,
                                  const std::string& name);
std::optional<Plot> popularity_plot(const nlohmann::json& data_set);
Plot bias_plot(const nlohmann::json& side, const std::string& who);
// Recall on the part by the values of a sweep, with the standard deviation over seeds.
Plot sweep_plot(const nlohmann::json& sweep, const nlohmann::json& runs, const std::string& part);

}  // namespace evenkeel::report
