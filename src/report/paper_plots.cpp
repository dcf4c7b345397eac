// In: methods of a data set, or a margin. Out: figures for a paper.
#include "report/paper_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "report/comparisons.h"
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

constexpr std::string_view kNeither = "#E9E6DF";

struct Stretch {
  double from, to;
};

// From where to where along a line from -half to half a user has a region of at least `least`; it
// is one piece.
template <typename RegionAt>
std::optional<Stretch> stretch(RegionAt region_at, double half, std::size_t least) {
  constexpr int kSteps = 64, kHalvings = 14;
  const auto place = [&](int n) { return half * (2.0 * n / kSteps - 1); };
  const auto edge = [&](double within, double without) {
    for (int n = 0; n < kHalvings; ++n) {
      const double middle = (within + without) / 2;
      (region_at(middle) >= least ? within : without) = middle;
    }
    return within;
  };
  int first = -1, last = -1;
  for (int n = 0; n <= kSteps; ++n) {
    if (region_at(place(n)) < least) continue;
    if (first < 0) first = n;
    last = n;
  }
  if (first < 0) return std::nullopt;
  return Stretch{first == 0 ? -half : edge(place(first), place(first - 1)),
                 last == kSteps ? half : edge(place(last), place(last + 1))};
}

// The visible half of the sphere, cut into lines.
Points sphere_region(const Vector& positive, const Vector& negative, double margin,
                     std::size_t least) {
  constexpr int kLines = 160;
  Points there, back;
  for (int n = 0; n < kLines; ++n) {
    const double turn = std::numbers::pi * (n + 0.5) / kLines;  // even steps would cut the poles
    const double y = std::cos(turn), half = std::sin(turn);
    const auto region_at = [&](double x) {
      const double z = std::sqrt(std::max(0.0, half * half - x * x));
      return region_of({x, y, z}, positive, negative, margin);
    };
    if (const auto found = stretch(region_at, half, least)) {
      there.push_back({found->from, y});
      back.push_back({found->to, y});
    }
  }
  there.insert(there.end(), back.rbegin(), back.rend());
  return there;
}

// A ring of directions; every piece of it a degree wide.
void draw_ring(Plot& plot, const Vector& positive, const Vector& negative, double margin) {
  constexpr double kInner = 0.76, kDegree = std::numbers::pi / 180;
  constexpr std::array<std::string_view, 3> kFills{kNeither, "#8A6A12", "#5B4B8A"};
  const auto region = [&](int n) {
    const double angle = (n + 0.5) * kDegree;
    return region_of({std::sin(angle), std::cos(angle), 0}, positive, negative, margin);
  };
  for (int from = 0; from < 360;) {
    int to = from;
    Points outer, inner;
    for (;; ++to) {
      const double x = std::sin(to * kDegree), y = std::cos(to * kDegree);
      outer.push_back({x, y});
      inner.push_back({kInner * x, kInner * y});
      if (to == 360 || region(to) != region(from)) break;
    }
    outer.insert(outer.end(), inner.rbegin(), inner.rend());
    plot.area(outer, kFills[region(from)]);
    from = to;
  }
}

// Square, without axes: directions have no coordinates to read off.
constexpr Layout kSquare{640, 420, 90, 232, 40, 62, true, false, true};

}  // namespace

Plot fronts_plot(const json& data_set, const json& runs, const std::vector<ShownMethod>& methods) {
  std::vector<double> logged, balanced;
  std::vector<std::pair<const ShownMethod*, Points>> lines;
  for (const ShownMethod& method : methods) {
    const json* front = front_of(*method.method, runs);
    if (front == nullptr) continue;
    Points points;
    for (const json& stop : (*front)["stops"]) {
      points.push_back({value_of(stop["logged"]), value_of(stop["balanced"])});
      logged.push_back(points.back()[0]);
      balanced.push_back(points.back()[1]);
    }
    lines.emplace_back(&method, std::move(points));
  }
  const json& axes = data_set["front"];
  const auto name = [&](const char* key) {
    return "Recall@20, " + (axes.is_object() ? text_of(axes[key]) : std::string());
  };
  const bool estimated = axes.is_object() && axes["estimated"] == true;
  Plot plot(
      "Popularity correction from 0 (large sign) to 1.5", axis_over(name("logged"), logged, false),
      axis_over(name("balanced") + (estimated ? ", balanced (estimated)" : ""), balanced, false));
  for (const auto& [method, points] : lines) {
    plot.line(points, palette(method->slot));
    plot.dots(points, palette(method->slot), 2, 1);
    plot.marker(points.front()[0], points.front()[1], method->slot);
    plot.legend_of(method->label, method->slot);
  }
  return plot;
}

Plot forest_plot(const json& data_set, const std::vector<ShownMethod>& methods) {
  const json& verdict = data_set["verdict"];
  struct Row {
    const ShownMethod* method;
    double difference, low, high;
    bool beyond;
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
    const auto other = comparison[first ? "b" : "a"].get<std::size_t>();
    const auto shown = std::find_if(methods.begin(), methods.end(),
                                    [&](const ShownMethod& m) { return m.index == other; });
    if (shown == methods.end()) continue;
    const double sign = first ? -1 : 1;
    const double low = value_of(comparison[first ? "high" : "low"]) * sign;
    const double high = value_of(comparison[first ? "low" : "high"]) * sign;
    const auto p = holm_p(data_set, verdict["best"].get<std::size_t>(), other,
                          verdict["part"].get<std::string>());
    rows.push_back(
        {&*shown, sign * value_of(comparison["difference"]), low, high, p && *p < kBeyondChance});
    values.push_back(low);
    values.push_back(high);
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.difference < b.difference; });
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Row& row : rows) names.push_back(row.method->label);
  Plot plot("Recall@20 less that of " + best + "; filled: beyond chance by Holm",
            axis_over("difference, 95 % over users", values, false), category_axis("", names),
            {640, 420, 190, 30, 40, 62, true, true, false});
  plot.line({{0, -0.5}, {0, static_cast<double>(rows.size()) - 0.5}}, "#999999", true);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto y = static_cast<double>(n);
    plot.line({{rows[n].low, y}, {rows[n].high, y}}, palette(rows[n].method->slot));
    plot.marker(rows[n].difference, y, rows[n].method->slot, rows[n].beyond);
  }
  return plot;
}

Plot regions_plot(double margin, bool sphere) {
  constexpr double kApart = 80 * std::numbers::pi / 180, kTilt = 0.25, kWide = 1.2;
  const auto place = [&](double angle) -> Vector {
    if (!sphere) return {std::sin(angle), std::cos(angle), 0};
    return {std::sin(angle), kTilt * std::cos(angle),
            std::sqrt(1 - kTilt * kTilt) * std::cos(angle)};
  };
  const Vector positive = place(-kApart / 2), negative = place(kApart / 2);
  Plot plot(fmt::format("Margin {:.2f}, {} dimensions", margin, sphere ? "three" : "two"),
            {"", -kWide, kWide}, {"", -kWide, kWide}, kSquare);
  if (sphere) {
    plot.area(sphere_region(positive, negative, INFINITY, 0), kNeither);
    plot.area(sphere_region(positive, negative, margin, 1), thing_colour(1));
    plot.area(sphere_region(positive, negative, margin, 2), thing_colour(0));
  } else {
    draw_ring(plot, positive, negative, margin);
  }
  // On the sphere the items lie on it; beside the ring they stand outside.
  const double reach = sphere ? 1 : 1.14;
  const auto item = [&](const Vector& v, const char* sign) {
    plot.dots({{reach * v[0], reach * v[1]}}, "#ffffff", 9, 1);
    plot.text(reach * v[0], reach * v[1], sign, "middle");
  };
  item(positive, "+");
  item(negative, "\xE2\x88\x92");
  plot.legend("both are content", thing_colour(0));
  plot.legend("softmax alone", thing_colour(1));
  plot.legend("neither", kNeither);
  plot.legend("+ positive item", "none");
  plot.legend("\xE2\x88\x92 negative item", "none");
  return plot;
}

}  // namespace evenkeel::report
