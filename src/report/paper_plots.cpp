// In: methods of a data set, or a margin. Out: figures for a paper.
#include "report/paper_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "report/run_plots.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;
using Points = Plot::Points;
using Vector = std::array<double, 3>;

const json* front_of(const json& method, const json& runs) {
  for (const json& index : method["runs"]) {
    const json& front = runs[index.get<std::size_t>()]["front"];
    if (front.is_object()) return &front;
  }
  return nullptr;
}

double angle_between(const Vector& a, const Vector& b) {
  const double product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return std::acos(std::clamp(product, -1.0, 1.0));
}

// 0 neither, 1 softmax alone, 2 also with the margin.
std::size_t region_of(const Vector& user, const Vector& positive, const Vector& negative,
                      double margin) {
  const double near = angle_between(user, positive), far = angle_between(user, negative);
  return near > far ? 0 : near + margin > far ? 1 : 2;
}

}  // namespace

Plot fronts_plot(const json& data_set, const json& runs, const ColourOf& colour) {
  std::vector<double> logged, balanced;
  std::vector<std::pair<std::string, Points>> lines;
  for (const json& method : data_set["methods"]) {
    const json* front = front_of(method, runs);
    if (front == nullptr) continue;
    Points points;
    for (const json& stop : (*front)["stops"]) {
      points.push_back({value_of(stop["logged"]), value_of(stop["balanced"])});
      logged.push_back(points.back()[0]);
      balanced.push_back(points.back()[1]);
    }
    lines.emplace_back(text_of(method["label"]), std::move(points));
  }
  const json& axes = data_set["front"];
  const auto name = [&](const char* key) {
    return "Recall@20, " + (axes.is_object() ? text_of(axes[key]) : std::string());
  };
  Plot plot("Popularity correction from 0 (large dot) to 1.5",
            axis_over(name("logged"), logged, false), axis_over(name("balanced"), balanced, false));
  for (const auto& [label, points] : lines) {
    plot.line(points, colour(label));
    plot.dots(points, colour(label), 2, 1);
    plot.dots({points.front()}, colour(label), 5, 1);
    plot.legend(label, colour(label));
  }
  return plot;
}

Plot forest_plot(const json& data_set, const ColourOf& colour) {
  const json& verdict = data_set["verdict"];
  struct Row {
    std::string label;
    double difference, low, high;
  };
  std::vector<Row> rows;
  std::vector<double> values{0};
  std::string best;
  if (verdict.is_object())
    best = text_of(data_set["methods"][verdict["best"].get<std::size_t>()]["label"]);
  for (const json& comparison : data_set["comparisons"]) {
    if (!verdict.is_object() || comparison["part"] != verdict["part"] ||
        comparison["metric"] != "recall") {
      continue;
    }
    const bool first = comparison["a"] == verdict["best"];
    if (!first && comparison["b"] != verdict["best"]) continue;
    const double sign = first ? -1 : 1;
    const double low = value_of(comparison[first ? "high" : "low"]) * sign;
    const double high = value_of(comparison[first ? "low" : "high"]) * sign;
    const auto other = comparison[first ? "b" : "a"].get<std::size_t>();
    rows.push_back({text_of(data_set["methods"][other]["label"]),
                    sign * value_of(comparison["difference"]), low, high});
    values.push_back(low);
    values.push_back(high);
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.difference < b.difference; });
  Plot plot("Recall@20 less that of " + best,
            axis_over("difference, 95 % over users", values, false),
            category_axis("", std::vector<std::string>(rows.size())));
  plot.line({{0, -0.5}, {0, static_cast<double>(rows.size()) - 0.5}}, "#999999", true);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto y = static_cast<double>(n);
    plot.line({{rows[n].low, y}, {rows[n].high, y}}, colour(rows[n].label));
    plot.dots({{rows[n].difference, y}}, colour(rows[n].label), 4, 1);
  }
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    plot.legend(row->label, colour(row->label));
  return plot;
}

Plot regions_plot(double margin, bool sphere) {
  constexpr double kApart = 1.4, kTilt = 0.25, kWide = 1.2 * 4 / 3;
  const auto place = [&](double angle) -> Vector {
    if (!sphere) return {std::sin(angle), std::cos(angle), 0};
    return {std::sin(angle), kTilt * std::cos(angle),
            std::sqrt(1 - kTilt * kTilt) * std::cos(angle)};
  };
  const Vector positive = place(-kApart / 2), negative = place(kApart / 2);
  std::array<Points, 3> regions;
  if (sphere) {
    constexpr int kGrid = 45;
    for (int i = -kGrid; i <= kGrid; ++i) {
      for (int j = -kGrid; j <= kGrid; ++j) {
        const double x = double(i) / kGrid, y = double(j) / kGrid;
        if (x * x + y * y > 1) continue;
        const Vector user{x, y, std::sqrt(1 - x * x - y * y)};
        regions[region_of(user, positive, negative, margin)].push_back({x, y});
      }
    }
  } else {
    for (int n = 0; n < 360; ++n) {
      const Vector user = place(n * std::numbers::pi / 180);
      for (const double radius : {0.92, 0.96, 1.0}) {
        regions[region_of(user, positive, negative, margin)].push_back(
            {radius * user[0], radius * user[1]});
      }
    }
  }
  Plot plot(fmt::format("Margin {:.2f}, {} dimensions", margin, sphere ? "three" : "two"),
            {"", -kWide, kWide}, {"", -1.2, 1.2});
  plot.dots(regions[0], "#dddddd", 2, 1);
  plot.dots(regions[1], thing_colour(1), 2, 1);
  plot.dots(regions[2], thing_colour(0), 2, 1);
  plot.dots({{positive[0], positive[1]}}, "#000000", 6, 1);
  plot.dots({{negative[0], negative[1]}}, "#D55E00", 6, 1);
  plot.legend("positive item", "#000000");
  plot.legend("negative item", "#D55E00");
  plot.legend("both content", thing_colour(0));
  plot.legend("softmax alone", thing_colour(1));
  plot.legend("neither", "#dddddd");
  return plot;
}

std::string sheet_svg(const std::vector<std::string>& plots, std::size_t columns) {
  const std::size_t rows = (plots.size() + columns - 1) / columns;
  const double width = kPlotSize[0] / 2, height = kPlotSize[1] / 2;
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">)"
      "\n",
      width * static_cast<double>(columns), height * static_cast<double>(rows));
  const std::string size = fmt::format(R"( width="{}" height="{}")", kPlotSize[0], kPlotSize[1]);
  for (std::size_t n = 0; n < plots.size(); ++n) {
    const std::size_t row = n / columns, column = n % columns;
    std::string plot = plots[n];
    const std::size_t at = plot.find(size);
    plot.replace(
        at, size.size(),
        fmt::format(R"( x="{}" y="{}" width="{}" height="{}")", width * static_cast<double>(column),
                    height * static_cast<double>(row), width, height));
    out += plot;
  }
  return out + "</svg>\n";
}

std::string margin_sheet() {
  constexpr std::array kMargins{0.0, 0.3, 0.6};
  std::vector<std::string> plots;
  for (const bool sphere : {false, true}) {
    for (const double margin : kMargins) plots.push_back(regions_plot(margin, sphere).svg());
  }
  return sheet_svg(plots, kMargins.size());
}

}  // namespace evenkeel::report
