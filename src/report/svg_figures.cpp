// In: the report's JSON. Out: its plots as SVG, data set by data set.
#include "report/svg_figures.h"
#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "eval/evaluate.h"
#include "report/findings.h"
#include "report/paper_plots.h"
#include "report/run_plots.h"
#include "report/svg.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;
using Points = Plot::Points;

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kSheetColumns = 4;
// Head, mid and tail as on the page.
constexpr std::array<std::string_view, 3> kGroupColours{"#0B4F6C", "#3D94B8", "#9CC9DB"};

struct Line {  // a run keeps its colour in every plot
  std::string name;
  std::string_view colour;
  Points points;
};

// One data set with its runs, and where its figures go.
class DataSetFigures {
 public:
  DataSetFigures(const json& report, const json& data_set, std::string prefix,
                 std::vector<Figure>& figures)
      : runs_(report["runs"]), data_set_(data_set), prefix_(std::move(prefix)), out_(figures) {
    for (const json& set : report["data_sets"]) {
      for (const json& method : set["methods"]) {
        slots_.try_emplace(text_of(method["label"]), slots_.size());
      }
    }
    for (const json& index : data_set["runs"]) {
      const json& run = runs_[index.get<std::size_t>()];
      if (run["detailed"].get<bool>()) detailed_.push_back(&run);
    }
  }

  void all() {
    json parts = data_set_["tests"];
    if (parts.empty()) parts.push_back("valid");
    for (const json& part : parts) quality(part.get<std::string>());
    pareto();
    comparisons();
    geometry();
    sheets();
    bias();
    exposure();
    vectors();
    training("loss", "training loss");
    training("recall", "validation Recall@20");
    popularity();
  }

  void sweep(const json& sweep) {
    const std::string part = most_uniform_test(data_set_);
    Points points;
    std::vector<std::string> names;
    for (const json& place : sweep["points"]) {
      double sum = 0;
      for (const json& run : place["runs"]) sum += recall_of(runs_[run.get<std::size_t>()], part);
      const double x = sweep["numeric"].get<bool>() ? value_of(place["value"])
                                                    : static_cast<double>(names.size());
      points.push_back({x, sum / static_cast<double>(place["runs"].size())});
      names.push_back(place["value"].is_string() ? text_of(place["value"]) : place["value"].dump());
    }
    const std::string key = text_of(sweep["key"]);
    Axis x = sweep["numeric"].get<bool>() ? axis_over(key, column(points, 0), false)
                                          : category_axis(key, names);
    Plot plot(fmt::format("{}: Recall@20 on {}", text_of(sweep["method"]), part), std::move(x),
              axis_over("Recall@20", column(points, 1), true));
    if (sweep["numeric"].get<bool>())
      plot.line(points, thing_colour(0));  // categories have no order
    plot.dots(points, thing_colour(0), 4, 1);
    add(fmt::format("sweep-{}-{}", key, out_.size()), plot);
  }

 private:
  void add(const std::string& name, const Plot& plot) {
    std::string words = (prefix_ + name).substr(0, kLongestName);
    std::ranges::replace(words, '.', '-');  // TeX takes what follows a dot for the kind of file
    std::ranges::replace(words, '_', '-');
    out_.push_back({slug(words), plot.svg()});
  }

  static double recall_of(const json& run, const std::string& part) {
    for (const json& evaluation : run["evaluations"]) {
      if (text_of(evaluation["part"]) == part)
        return value_of(evaluation["metrics"].value("recall", json()));
    }
    return NAN;
  }

  // Bars of one part: all items, and by group.
  void quality(const std::string& part) {
    std::vector<std::string> names;
    std::vector<double> values{0};
    for (const json* run : detailed_) {
      names.push_back(text_of((*run)["label"]));
      for (const json& evaluation : (*run)["evaluations"]) {
        if (text_of(evaluation["part"]) != part) continue;
        values.push_back(value_of(evaluation["metrics"]["recall"]));
        for (std::size_t g = 0; evaluation["items"].is_array() && g < 3; ++g) {
          values.push_back(value_of(evaluation["items"][g].value("recall", json())));
        }
      }
    }
    if (names.empty()) return;
    Plot whole("Recall@20 on " + part, category_axis("method", names),
               axis_over("Recall@20 (95 % over users)", values, true));
    Plot groups("Recall@20 on " + part + " by item group", category_axis("method", names),
                axis_over("Recall@20", values, true));
    for (std::size_t g = 0; g < 3; ++g)
      groups.legend(std::string(eval::kGroupNames[g]), kGroupColours[g]);
    for (std::size_t n = 0; n < detailed_.size(); ++n) {
      for (const json& evaluation : (*detailed_[n])["evaluations"]) {
        if (text_of(evaluation["part"]) == part)
          quality_bars(whole, groups, static_cast<double>(n), evaluation,
                       colour_of(text_of((*detailed_[n])["method"])));
      }
    }
    add("quality-" + part, whole);
    add("groups-" + part, groups);
  }

  static void quality_bars(Plot& whole, Plot& groups, double place, const json& evaluation,
                           std::string_view colour) {
    whole.bar(place - 0.3, place + 0.3, value_of(evaluation["metrics"]["recall"]), colour);
    if (evaluation["intervals"].contains("recall")) {
      const json& interval = evaluation["intervals"]["recall"];
      whole.whisker(place, value_of(interval[0]), value_of(interval[1]));
    }
    for (std::size_t g = 0; evaluation["items"].is_array() && g < 3; ++g) {
      const double left = place - 0.36 + 0.24 * static_cast<double>(g);
      groups.bar(left, left + 0.22, value_of(evaluation["items"][g].value("recall", json())),
                 kGroupColours[g]);
    }
  }

  void pareto() {
    const std::string part = most_uniform_test(data_set_);
    Points points;
    std::vector<std::string> names;
    std::vector<std::string_view> colours;
    for (const json* run : detailed_) {
      if (!(*run)["exposure"].is_object()) continue;
      points.push_back({1 - value_of((*run)["exposure"]["gini"]), recall_of(*run, part)});
      names.push_back(text_of((*run)["label"]));
      colours.push_back(colour_of(text_of((*run)["method"])));
    }
    if (points.empty()) return;
    Plot plot("Accuracy and fairness of exposure on " + part,
              axis_over("1 - Gini of exposure (fairer to the right)", column(points, 0), true),
              axis_over("Recall@20", column(points, 1), true));
    for (std::size_t n = 0; n < points.size(); ++n) {
      plot.dots({points[n]}, colours[n], 5, 1);
      plot.legend(names[n], colours[n]);  // names beside the dots would lie over each other
    }
    add("pareto", plot);
  }

  void comparisons() {
    const ColourOf colour = [this](const std::string& label) { return colour_of(label); };
    if (data_set_["front"].is_object()) add("fronts", fronts_plot(data_set_, runs_, colour));
    if (!data_set_["comparisons"].empty()) add("differences", forest_plot(data_set_, colour));
    add("margin-circle", regions_plot(0.4, false));
    add("margin-sphere", regions_plot(0.4, true));
  }

  // A run keeps the colour of its method, which is that on the page.
  std::string_view colour_of(const std::string& label) const {
    const auto slot = slots_.find(label);
    return palette(slot == slots_.end() ? 0 : slot->second);
  }

  // A head and a tail user under every method, spheres above angles: as the paper shows them; and
  // what softmax and BC loss ask for as margins grow.
  void sheets() {
    out_.push_back({slug(prefix_ + "sheet-margins"), margin_sheet()});
    std::vector<std::string> plots;
    std::size_t columns = 0;
    for (const std::size_t group : {0U, 2U}) {
      std::vector<std::string> spheres, angles;
      for (const json* run : detailed_) {
        const auto user = first_of(group);
        if (!user || !(*run)["geometry"].is_object()) continue;
        const json& drawn = (*run)["geometry"]["users"];
        if (*user >= drawn.size() || spheres.size() == kSheetColumns) continue;
        const std::string title =
            fmt::format("{}, {} user", text_of((*run)["label"]), eval::kGroupNames[group]);
        spheres.push_back(sphere_plot((*run)["geometry"], drawn[*user], title).svg());
        angles.push_back(angles_plot((*run)["geometry"], drawn[*user], title, top_of(*user)).svg());
      }
      columns = std::max(columns, spheres.size());
      plots.insert(plots.end(), spheres.begin(), spheres.end());
      plots.insert(plots.end(), angles.begin(), angles.end());
    }
    if (columns > 0) out_.push_back({slug(prefix_ + "sheet-geometry"), sheet_svg(plots, columns)});
  }

  std::optional<std::size_t> first_of(std::size_t group) const {
    for (std::size_t u = 0; u < data_set_["users"].size(); ++u) {
      if (data_set_["users"][u]["group"] == group) return u;
    }
    return std::nullopt;
  }

  // One range for all methods, so that heights can be compared.
  double top_of(std::size_t user) const {
    double top = 0;
    for (const json* run : detailed_) {
      const json& geometry = (*run)["geometry"];
      if (!geometry.is_object() || user >= geometry["users"].size()) continue;
      top = std::max(top, largest_share(geometry["users"][user]));
    }
    return top;
  }

  void geometry() {
    for (const json* run : detailed_) {
      if (!(*run)["geometry"].is_object()) continue;
      const json& users = (*run)["geometry"]["users"];
      for (std::size_t u = 0; u < users.size(); ++u) {
        const json& user = data_set_["users"][u];
        const std::string who =
            fmt::format("{} user {}", eval::kGroupNames[user["group"].get<std::size_t>()], u + 1);
        const std::string label = text_of((*run)["label"]);
        const std::string name = fmt::format("{}, {}", label, who);
        add("sphere-" + name, sphere_plot((*run)["geometry"], users[u], name));
        add("angles-" + name, angles_plot((*run)["geometry"], users[u], name, top_of(u)));
      }
    }
  }

  void bias() {
    const json& bias = data_set_["bias"];
    if (!bias.is_object()) return;
    for (const char* side : {"items", "users"}) {
      const Points points = points_of(bias[side]["points"]);
      Plot plot(fmt::format("Bias degree and popularity of {}, Pearson r = {:.4f}", side,
                            value_of(bias[side]["pearson"])),
                axis_over("training interactions", column(points, 0), false, true),
                axis_over("bias degree, mean cos(xi)", column(points, 1), false));
      plot.dots(points, thing_colour(0), 1.6, 0.3);
      plot.dots(points_of(bias[side]["by_value"]), thing_colour(1), 2, 0.9);
      plot.legend(fmt::format("single {}", side), thing_colour(0));
      plot.legend("mean of a value", thing_colour(1));
      add(fmt::format("bias-{}", side), plot);
    }
    add("nine-groups", nine_plot(bias["nine"]));
  }

  void exposure() {
    std::vector<std::string> tenths;
    for (int d = 1; d <= 10; ++d) tenths.push_back(std::to_string(d));
    std::vector<double> lifts{1};
    Plot lorenz("Lorenz curve of exposure", {"share of items, least shown first", 0, 1},
                {"share of recommendations", 0, 1});
    lorenz.line({{0, 0}, {1, 1}}, "#999999", true);
    lorenz.line(points_of(data_set_["popularity"]["lorenz"]), "#444444", true);
    lorenz.legend("consumption", "#444444");
    std::vector<Line> lines;
    for (std::size_t n = 0; n < detailed_.size(); ++n) {
      const json& run = *detailed_[n];
      if (!run["exposure"].is_object()) continue;
      const std::string label = text_of(run["label"]);
      const std::string_view colour = colour_of(text_of(run["method"]));
      lorenz.line(points_of(run["exposure"]["lorenz"]), colour);
      lorenz.legend(label, colour);
      Points line;
      for (std::size_t d = 0; d < run["exposure"]["lift"].size(); ++d) {
        line.push_back({static_cast<double>(d), value_of(run["exposure"]["lift"][d])});
        lifts.push_back(line.back()[1]);
      }
      lines.push_back({label, colour, std::move(line)});
    }
    if (lines.empty()) return;
    Plot lift("Popularity lift: recommended / consumed",
              category_axis("tenth of items, most popular first", tenths),
              axis_over("lift", lifts, true));
    lift.line({{-0.5, 1}, {9.5, 1}}, "#999999", true);
    for (const Line& line : lines) {
      lift.line(line.points, line.colour);
      lift.dots(line.points, line.colour, 3, 1);
      lift.legend(line.name, line.colour);
    }
    add("lorenz", lorenz);
    add("lift", lift);
  }

  void vectors() {
    for (const json* run : detailed_) {
      const std::string& label = text_of((*run)["label"]);
      if ((*run)["geometry"].is_object()) {
        add("norms-" + label, norms_plot((*run)["geometry"]["norms"], label));
      }
      const json& margins = (*run)["margins"];
      if (margins.is_object() && value_of(margins["bin_radians"]) > 0) {
        add("margins-" + label, margins_plot(margins, label));
      }
    }
  }

  void training(const char* figure, const std::string& name) {
    std::vector<Line> lines;
    std::vector<double> epochs{1}, values;
    for (std::size_t n = 0; n < detailed_.size(); ++n) {
      const json& run = *detailed_[n];
      Line line{text_of(run["label"]), colour_of(text_of(run["method"])), {}};
      for (const json& point : run["training"]) {
        if (!point[figure].is_number()) continue;
        line.points.push_back({value_of(point["epoch"]), value_of(point[figure])});
        epochs.push_back(line.points.back()[0]);
        values.push_back(line.points.back()[1]);
      }
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (lines.empty()) return;
    Plot plot(name, axis_over("epoch", epochs, false), axis_over(name, values, true));
    for (const Line& line : lines) {
      plot.line(line.points, line.colour);
      plot.legend(line.name, line.colour);
    }
    add("training-" + name, plot);
  }

  void popularity() {
    const Points items = points_of(data_set_["popularity"]["items"]);
    const Points users = points_of(data_set_["popularity"]["users"]);
    if (items.empty() || users.empty()) return;
    std::vector<double> ranks = column(items, 0), counts = column(items, 1);
    for (const auto& [rank, count] : users) ranks.push_back(rank), counts.push_back(count);
    Plot plot("Popularity of " + text_of(data_set_["name"]), axis_over("rank", ranks, false, true),
              axis_over("training interactions", counts, false, true));
    plot.line(items, thing_colour(0));
    plot.line(users, thing_colour(3));
    plot.legend("items", thing_colour(0));
    plot.legend("users", thing_colour(3));
    add("popularity", plot);
  }

  const json& runs_;
  const json& data_set_;
  std::string prefix_;
  std::vector<Figure>& out_;
  std::vector<const json*> detailed_;
  std::map<std::string, std::size_t> slots_;  // of colours, by label of the method
};

// Two labels may become one slug; files must not.
void make_names_unique(std::vector<Figure>& figures) {
  for (std::size_t n = 1; n < figures.size(); ++n) {
    const auto before = figures.begin() + static_cast<std::ptrdiff_t>(n);
    if (std::any_of(figures.begin(), before,
                    [&](const Figure& other) { return other.name == figures[n].name; })) {
      figures[n].name += "-" + std::to_string(n);
    }
  }
}

}  // namespace

std::vector<Figure> make_figures(const json& report) {
  std::vector<Figure> figures;
  const json& sets = report["data_sets"];
  for (std::size_t d = 0; d < sets.size(); ++d) {
    const std::string prefix = sets.size() > 1 ? text_of(sets[d]["name"]) + "-" : "";
    DataSetFigures data_set(report, sets[d], prefix, figures);
    data_set.all();
    for (const json& sweep : report["sweeps"]) {
      if (sweep["data_set"] == d) data_set.sweep(sweep);
    }
  }
  make_names_unique(figures);
  return figures;
}

}  // namespace evenkeel::report
