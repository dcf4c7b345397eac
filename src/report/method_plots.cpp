// In: shown methods and a part, or a sweep. Out: their plots.
#include "report/method_plots.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "analysis/correlation.h"
#include "eval/evaluate.h"
#include "report/findings.h"
#include "report/run_plots.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;
using Points = Plot::Points;

// Head, mid and tail as on the page.
constexpr std::array<std::string_view, 3> kGroupColours{"#0B4F6C", "#3D94B8", "#9CC9DB"};

const json* evaluation_of(const json& run, const std::string& part) {
  for (const json& evaluation : run["evaluations"]) {
    if (text_of(evaluation["part"]) == part) return &evaluation;
  }
  return nullptr;
}

double recall_of(const json& run, const std::string& part) {
  const json* evaluation = evaluation_of(run, part);
  return evaluation == nullptr ? NAN : value_of((*evaluation)["metrics"].value("recall", json()));
}

// Means over seeds, as in the tables of the page.
double recall_of(const ShownMethod& method, const std::string& part) {
  return mean_of(*method.method, part, "recall").value_or(NAN);
}

double group_recall_of(const ShownMethod& method, const std::string& part, std::size_t group) {
  analysis::Moments moments;
  for (const json* run : method.seeds) {
    const json* evaluation = evaluation_of(*run, part);
    if (evaluation == nullptr || !(*evaluation)["items"].is_array()) continue;
    const double recall = value_of((*evaluation)["items"][group].value("recall", json()));
    if (std::isfinite(recall)) moments.add(recall);
  }
  return moments.count > 0 ? moments.mean : NAN;
}

// Methods that were tested on the part.
Methods tested(const Methods& methods, const std::string& part) {
  Methods out;
  for (const ShownMethod& method : methods) {
    if (std::isfinite(recall_of(method, part))) out.push_back(method);
  }
  return out;
}

Axis method_axis(const Methods& methods, bool named) {
  std::vector<std::string> names;
  for (const ShownMethod& method : methods) names.push_back(named ? method.label : "");
  return category_axis("", std::move(names));
}

Methods exposed(const Methods& methods) {
  Methods out;
  for (const ShownMethod& method : methods) {
    if ((*method.run)["exposure"].is_object()) out.push_back(method);
  }
  return out;
}

}  // namespace

std::optional<Plot> quality_plot(const Methods& methods, const std::string& part, bool named) {
  const Methods told = tested(methods, part);
  if (told.empty()) return std::nullopt;
  std::vector<double> values{0};
  std::vector<std::array<double, 2>> intervals;
  for (const ShownMethod& method : told) {
    const double recall = recall_of(method, part);
    const json* own = evaluation_of(*method.run, part);
    const json none = json::array({json(), json()});
    const json interval = own ? (*own)["intervals"].value("recall", none) : none;
    const double moved = recall - recall_of(*method.run, part);  // the width is that of one seed
    intervals.push_back({value_of(interval[0]) + moved, value_of(interval[1]) + moved});
    values.push_back(recall);
    values.push_back(intervals.back()[1]);
  }
  Plot plot("Recall@20 on " + part + ", 95 % over users", method_axis(told, named),
            axis_over("Recall@20", values, true));
  for (std::size_t n = 0; n < told.size(); ++n) {
    const auto place = static_cast<double>(n);
    plot.bar(place - 0.3, place + 0.3, recall_of(told[n], part), palette(told[n].slot));
    plot.whisker(place, intervals[n][0], intervals[n][1]);
  }
  return plot;
}

std::optional<Plot> groups_plot(const Methods& methods, const std::string& part) {
  const Methods told = tested(methods, part);
  if (told.empty()) return std::nullopt;
  const auto recall = [&](const ShownMethod& method, std::size_t group) {
    return group_recall_of(method, part, group);
  };
  std::vector<double> values{0};
  for (const ShownMethod& method : told) {
    for (std::size_t g = 0; g < 3; ++g) values.push_back(recall(method, g));
  }
  Plot plot("Recall@20 on " + part + " by item group", method_axis(told, true),
            axis_over("Recall@20", values, true));
  for (std::size_t g = 0; g < 3; ++g) {
    plot.legend(std::string(eval::kGroupNames[g]), kGroupColours[g]);
    for (std::size_t n = 0; n < told.size(); ++n) {
      const double left = static_cast<double>(n) - 0.36 + 0.24 * static_cast<double>(g);
      plot.bar(left, left + 0.22, recall(told[n], g), kGroupColours[g]);
    }
  }
  return plot;
}

std::optional<Plot> pareto_plot(const Methods& methods, const std::string& part) {
  const Methods told = exposed(tested(methods, part));
  if (told.empty()) return std::nullopt;
  Points points;
  for (const ShownMethod& method : told) {
    points.push_back({1 - value_of((*method.run)["exposure"]["gini"]), recall_of(method, part)});
  }
  Plot plot("Accuracy and fairness of exposure on " + part,
            axis_over("1 - Gini of exposure (fairer to the right)", column(points, 0), true),
            axis_over("Recall@20", column(points, 1), true));
  for (std::size_t n = 0; n < points.size(); ++n) {
    plot.marker(points[n][0], points[n][1], told[n].slot);
    plot.legend_of(told[n].label, told[n].slot);  // beside the signs names would overlap
  }
  return plot;
}

std::optional<Plot> lorenz_plot(const json& data_set, const Methods& methods) {
  const Methods told = exposed(methods);
  if (told.empty()) return std::nullopt;
  Plot plot("Lorenz curve of exposure (dashed: consumption)",
            {"share of items, least shown first", 0, 1}, {"share of recommendations", 0, 1});
  plot.line({{0, 0}, {1, 1}}, "#CCCCCC");
  plot.line(points_of(data_set["popularity"]["lorenz"]), "#444444", true);
  for (const ShownMethod& method : told) {
    const Points curve = points_of((*method.run)["exposure"]["lorenz"]);
    plot.line(curve, palette(method.slot));
    for (const auto& [x, y] : curve) {
      const double tenth = 10 * x;
      if (std::abs(tenth - std::round(tenth)) < 1e-9) plot.marker(x, y, method.slot);
    }
    plot.legend_of(method.label, method.slot);
  }
  return plot;
}

std::optional<Plot> lift_plot(const Methods& methods) {
  const Methods told = exposed(methods);
  if (told.empty()) return std::nullopt;
  std::vector<std::string> tenths;
  for (int d = 1; d <= 10; ++d) tenths.push_back(std::to_string(d));
  std::vector<double> lifts{1};
  for (const ShownMethod& method : told) {
    for (const json& lift : (*method.run)["exposure"]["lift"]) lifts.push_back(value_of(lift));
  }
  Axis y = axis_over("lift (square-root scale)", lifts, true);
  y.root = true;
  Plot plot("Popularity lift: recommended / consumed",
            category_axis("tenth of items, most popular first", tenths), std::move(y));
  plot.line({{-0.5, 1}, {9.5, 1}}, "#999999", true);
  for (const ShownMethod& method : told) {
    Points line;
    for (const json& lift : (*method.run)["exposure"]["lift"]) {
      line.push_back({static_cast<double>(line.size()), value_of(lift)});
    }
    plot.line(line, palette(method.slot));
    for (const auto& [x, value] : line) plot.marker(x, value, method.slot);
    plot.legend_of(method.label, method.slot);
  }
  return plot;
}

std::optional<Plot> training_plot(const Methods& methods, const char* figure,
                                  const std::string& name) {
  std::vector<std::pair<const ShownMethod*, Points>> lines;
  std::vector<double> epochs{1}, values;
  for (const ShownMethod& method : methods) {
    Points line;
    for (const json& point : (*method.run)["training"]) {
      if (!point[figure].is_number()) continue;
      line.push_back({value_of(point["epoch"]), value_of(point[figure])});
      epochs.push_back(line.back()[0]);
      values.push_back(line.back()[1]);
    }
    if (!line.empty()) lines.emplace_back(&method, std::move(line));
  }
  if (lines.empty()) return std::nullopt;
  Plot plot(name, axis_over("epoch", epochs, false), axis_over(name, values, true));
  for (const auto& [method, line] : lines) {
    plot.line(line, palette(method->slot));
    plot.marker(line.back()[0], line.back()[1], method->slot);
    plot.legend_of(method->label, method->slot);
  }
  return plot;
}

std::optional<Plot> popularity_plot(const json& data_set) {
  const Points items = points_of(data_set["popularity"]["items"]);
  const Points users = points_of(data_set["popularity"]["users"]);
  if (items.empty() || users.empty()) return std::nullopt;
  std::vector<double> ranks = column(items, 0), counts = column(items, 1);
  for (const auto& [rank, count] : users) ranks.push_back(rank), counts.push_back(count);
  Plot plot("Popularity of " + text_of(data_set["name"]), axis_over("rank", ranks, false, true),
            axis_over("training interactions", counts, false, true));
  plot.line(items, thing_colour(0));
  plot.line(users, thing_colour(3));
  plot.legend("items", thing_colour(0));
  plot.legend("users", thing_colour(3));
  return plot;
}

Plot bias_plot(const json& side, const std::string& who) {
  const Points points = points_of(side["points"]);
  Plot plot(fmt::format("Bias degree and popularity of {}, Pearson r = {:.4f}", who,
                        value_of(side["pearson"])),
            axis_over("training interactions", column(points, 0), false, true),
            axis_over("bias degree, mean cos(xi)", column(points, 1), false));
  plot.dots(points, thing_colour(0), 1.6, 0.3);
  plot.dots(points_of(side["by_value"]), thing_colour(1), 2, 0.9);
  plot.legend(fmt::format("single {}", who), thing_colour(0));
  plot.legend("mean of a value", thing_colour(1));
  return plot;
}

Plot sweep_plot(const json& sweep, const json& runs, const std::string& part) {
  const bool numeric = sweep["numeric"].get<bool>();
  Points points;
  std::vector<double> spread, values{0};
  std::vector<std::string> names;
  for (const json& place : sweep["points"]) {
    analysis::Moments moments;
    for (const json& run : place["runs"]) {
      const double recall = recall_of(runs[run.get<std::size_t>()], part);
      if (std::isfinite(recall)) moments.add(recall);
    }
    const double x = numeric ? value_of(place["value"]) : static_cast<double>(names.size());
    points.push_back({x, moments.count > 0 ? moments.mean : NAN});
    spread.push_back(moments.sample_sd().value_or(NAN));
    values.push_back(points.back()[1] + moments.sample_sd().value_or(0));
    names.push_back(place["value"].is_string() ? text_of(place["value"]) : place["value"].dump());
  }
  const std::string key = text_of(sweep["key"]);
  Axis x = numeric ? axis_over(key, column(points, 0), false) : category_axis(key, names);
  Plot plot(fmt::format("{}: Recall@20 on {}", text_of(sweep["method"]), part), std::move(x),
            axis_over("Recall@20 (sd over seeds)", values, true));
  if (numeric) plot.line(points, thing_colour(0));  // categories have no order
  plot.dots(points, thing_colour(0), 4, 1);
  for (std::size_t n = 0; n < points.size(); ++n) {
    plot.whisker(points[n][0], points[n][1] - spread[n], points[n][1] + spread[n]);
  }
  return plot;
}

}  // namespace evenkeel::report
