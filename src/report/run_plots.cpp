// In: a run's geometry, margins, groups as JSON. Out: their plots.
#include "report/run_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "eval/evaluate.h"

namespace evenkeel::report {

using nlohmann::json;
using Points = Plot::Points;

constexpr std::string_view kOthers = "#9A9A9A";

const std::string& text_of(const json& value) {
  return value.get_ref<const std::string&>();
}

double value_of(const json& value) {
  return value.is_number() ? value.get<double>() : NAN;
}

Points points_of(const json& list) {
  Points points;
  for (const json& point : list) points.push_back({value_of(point[0]), value_of(point[1])});
  return points;
}

std::vector<double> column(const Points& points, std::size_t which) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point[which]);
  return values;
}

Axis category_axis(const std::string& label, std::vector<std::string> names) {
  const double last = static_cast<double>(names.size()) - 0.5;
  return {label, -0.5, last, false, std::move(names)};
}

// Seen from the side, the user at the top; what lies behind is faint. Rings mark equal angles.
Plot sphere_plot(const json& geometry, const json& user, const std::string& title) {
  constexpr double kWide = 1.2, kDegree = 0.0174533;
  const bool exact = geometry["true_3d"].get<bool>();
  Plot plot(title,
            {exact ? "three dimensions, as they are" : "projection; angles to the user are exact",
             -kWide, kWide},
            {"", -kWide, kWide}, {640, 420, 90, 232, 40, 62, true, false, true});
  Points rim;
  for (int n = 0; n <= 72; ++n) {
    rim.push_back({std::cos(n * 5 * kDegree), std::sin(n * 5 * kDegree)});
  }
  plot.area(rim, "#F6F4EF");
  plot.line(rim, "#B4AFA3");
  for (const int degrees : {30, 60, 90, 120, 150}) {
    const double z = std::cos(degrees * kDegree), half = std::sin(degrees * kDegree);
    Points ring;
    for (int n = 0; n <= 36; ++n) {
      const double turn = n * 10 * kDegree;
      ring.push_back({half * std::cos(turn), z + 0.12 * half * std::sin(turn)});
    }
    plot.line(ring, degrees == 90 ? "#B4AFA3" : "#D5D0C5");
    plot.text(half + 0.08, z, fmt::format("{}\xC2\xB0", degrees));
  }
  const auto draw = [&](const char* kind, std::string_view colour, double radius) {
    Points front, back;
    for (const json& point : user["sphere"][kind]) {
      (value_of(point[1]) <= 0 ? front : back).push_back({value_of(point[0]), value_of(point[2])});
    }
    plot.dots(back, colour, radius, 0.3);
    plot.dots(front, colour, radius, 0.9);
  };
  draw("negative", kOthers, 1.8);
  draw("held_out", thing_colour(1), 2.8);
  draw("positive", thing_colour(0), 2.8);
  plot.dots({{0, 1}}, "#000000", 5, 1);
  plot.legend("user", "#000000");
  plot.legend("training items", thing_colour(0));
  plot.legend("held-out items", thing_colour(1));
  plot.legend("other items", kOthers);
  return plot;
}

double largest_share(const json& user) {
  double top = 0;
  for (const char* kind : {"positive", "held_out", "negative"}) {
    for (const json& share : user[kind]) top = std::max(top, value_of(share));
  }
  return top;
}

Plot angles_plot(const json& geometry, const json& user, const std::string& title, double top) {
  const double width = value_of(geometry["bin_degrees"]);
  Plot plot(title, {"angle to the user (degrees)", 0, 180},
            axis_over("share of items", {0, top}, true));
  const auto draw = [&](const char* kind, const char* mean, std::string_view colour) {
    for (std::size_t bin = 0; bin < user[kind].size(); ++bin) {
      const double share = value_of(user[kind][bin]);
      const double from = width * static_cast<double>(bin);
      if (share > 0) plot.bar(from, from + width, share, colour, 0.6);
    }
    const double at = value_of(user[mean]);
    if (std::isfinite(at)) plot.line({{at, 0}, {at, top}}, colour, true);
  };
  draw("negative", "mean_negative", kOthers);
  draw("held_out", "mean_held_out", thing_colour(1));
  draw("positive", "mean_positive", thing_colour(0));
  plot.legend("training items", thing_colour(0));
  plot.legend("held-out items", thing_colour(1));
  plot.legend("other items", kOthers);
  plot.legend("dashed: means", "none");
  return plot;
}

Plot nine_plot(const json& nine) {
  double low = INFINITY, high = -INFINITY;
  for (const json& row : nine["mean"]) {
    for (const json& mean : row) {
      if (!mean.is_number()) continue;
      low = std::min(low, value_of(mean));
      high = std::max(high, value_of(mean));
    }
  }
  const std::vector<std::string> items(eval::kGroupNames.begin(), eval::kGroupNames.end());
  const std::vector<std::string> users(items.rbegin(), items.rend());  // head at the top
  Plot plot("Bias angle xi by user and item group (radians)", category_axis("items", items),
            category_axis("users", users));
  for (std::size_t u = 0; u < 3; ++u) {
    for (std::size_t i = 0; i < 3; ++i) {
      const json& mean = nine["mean"][u][i];
      const double part =
          mean.is_number() && high > low ? (value_of(mean) - low) / (high - low) : 0;
      // From #d9ecf4 to #0b4f6c with black or white, whichever can be read, as on the page.
      const auto mix = [&](int from, int to) { return std::lround(from + part * (to - from)); };
      plot.cell(static_cast<double>(i), static_cast<double>(2 - u),
                fmt::format("rgb({},{},{})", mix(217, 11), mix(236, 79), mix(244, 108)),
                mean.is_number() ? fmt::format("{:.3f} \xC2\xB1 {:.3f}", value_of(mean),
                                               value_of(nine["sd"][u][i]))
                                 : "-",
                part > 0.71 ? "white" : "black");
    }
  }
  return plot;
}

Plot norms_plot(const json& norms, const std::string& label, std::string_view colour) {
  const Plot::Points points = points_of(norms["points"]);
  Plot plot(
      fmt::format("{}: item norm and popularity, r = {:.3f}", label, value_of(norms["pearson"])),
      axis_over("training interactions", column(points, 0), false, true),
      axis_over("norm of the item vector", column(points, 1), true));
  plot.dots(points, colour, 1.8, 0.5);
  return plot;
}

Plot margins_plot(const json& margins, const std::string& label, std::string_view colour) {
  std::vector<double> shares{0};
  for (const json& share : margins["histogram"]) shares.push_back(value_of(share));
  const double width = value_of(margins["bin_radians"]);
  Plot plot(fmt::format("{}: margins, {:.1f} % at the cap", label,
                        100 * value_of(margins["capped_share"])),
            {"margin (radians)", 0, width * static_cast<double>(margins["histogram"].size())},
            axis_over("share of training pairs", shares, true));
  for (std::size_t bin = 0; bin < margins["histogram"].size(); ++bin) {
    const double from = width * static_cast<double>(bin);
    plot.bar(from, from + width, value_of(margins["histogram"][bin]), colour);
  }
  return plot;
}

}  // namespace evenkeel::report
