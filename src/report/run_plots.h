// Plots of one run's vectors. In: parts of the report's JSON; out: plots.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/svg.h"

namespace evenkeel::report {

// `geometry` of a run and the angles of one of its users, as in web/src/data.ts.
Plot sphere_plot(const nlohmann::json& geometry, const nlohmann::json& user,
                 const std::string& title);
// `top`: the largest share of all plots that are compared with it.
Plot angles_plot(const nlohmann::json& geometry, const nlohmann::json& user,
                 const std::string& title, double top);
double largest_share(const nlohmann::json& user);
Plot norms_plot(const nlohmann::json& norms, const std::string& label, std::string_view colour);
Plot margins_plot(const nlohmann::json& margins, const std::string& label, std::string_view colour);
Plot nine_plot(const nlohmann::json& nine);

// Numbers of the JSON for a plot: null is NaN, which plots leave out.
double value_of(const nlohmann::json& value);
const std::string& text_of(const nlohmann::json& value);
Plot::Points points_of(const nlohmann::json& list);
std::vector<double> column(const Plot::Points& points, std::size_t which);
Axis category_axis(const std::string& label, std::vector<std::string> names);

}  // namespace evenkeel::report
