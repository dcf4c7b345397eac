// In: the report's JSON. Out: its plots as SVG, data set by data set.
#include "report/svg_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/printable.h"
#include "eval/evaluate.h"
#include "report/findings.h"
#include "report/method_plots.h"
#include "report/paper_plots.h"
#include "report/run_plots.h"
#include "report/sheets.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kSheetColumns = 5;

// One data set with its runs, and where its figures go.
class DataSetFigures {
 public:
  DataSetFigures(const json& report, const json& data_set, std::string prefix,
                 std::vector<Figure>& figures)
      : runs_(report["runs"]),
        data_set_(data_set),
        prefix_(std::move(prefix)),
        out_(figures),
        methods_(shown_methods(report, data_set)),
        main_test_(most_uniform_test(data_set)) {}

  void all() {
    json parts = data_set_["tests"];
    if (parts.empty()) parts.push_back("valid");
    for (const json& part : parts) {
      add("quality-" + text_of(part), quality_plot(methods_, text_of(part), true));
      add("groups-" + text_of(part), groups_plot(methods_, text_of(part)));
    }
    add("pareto", pareto_plot(methods_, main_test_));
    if (data_set_["front"].is_object()) {
      add("fronts", fronts_plot(data_set_, runs_, methods_));
    }
    if (!data_set_["comparisons"].empty()) add("differences", forest_plot(data_set_, methods_));
    add("margin-circle", regions_plot(0.4, false));
    add("margin-sphere", regions_plot(0.4, true));
    geometry();
    if (data_set_["bias"].is_object()) bias(data_set_["bias"]);
    add("lorenz", lorenz_plot(data_set_, methods_));
    add("lift", lift_plot(methods_));
    vectors();
    add("training-loss", training_plot(methods_, "loss", "training loss"));
    add("training-recall", training_plot(methods_, "recall", "validation Recall@20"));
    add("popularity", popularity_plot(data_set_));
    sheets();
  }

  void sweep(const json& sweep) {
    add(fmt::format("sweep-{}-{}", text_of(sweep["key"]), out_.size()),
        sweep_plot(sweep, runs_, main_test_));
  }

 private:
  void add(const std::string& name, const std::optional<Plot>& plot) {
    if (plot) add_svg(name, plot->svg());
  }

  void add_svg(const std::string& name, std::string svg) {
    std::string words = (prefix_ + name).substr(0, kLongestName);
    std::ranges::replace(words, '.', '-');  // TeX takes what follows a dot for the kind of file
    std::ranges::replace(words, '_', '-');
    out_.push_back({slug(words), std::move(svg)});
  }

  // One range for all methods, so that heights can be compared.
  double top_of(std::size_t user) const {
    double top = 0;
    for (const ShownMethod& method : methods_) {
      const json& geometry = (*method.run)["geometry"];
      if (!geometry.is_object() || user >= geometry["users"].size()) continue;
      top = std::max(top, largest_share(geometry["users"][user]));
    }
    return top;
  }

  void geometry() {
    for (const ShownMethod& method : methods_) {
      const json& geometry = (*method.run)["geometry"];
      if (!geometry.is_object()) continue;
      for (std::size_t u = 0; u < geometry["users"].size(); ++u) {
        const json& user = data_set_["users"][u];
        const std::string who =
            fmt::format("{} user {}", eval::kGroupNames[user["group"].get<std::size_t>()], u + 1);
        const std::string name = fmt::format("{}, {}", method.label, who);
        const std::string file = fmt::format("{} {}", who, method.label);  // long labels are cut
        add("sphere-" + file, sphere_plot(geometry, geometry["users"][u], name));
        add("angles-" + file, angles_plot(geometry, geometry["users"][u], name, top_of(u)));
      }
    }
  }

  void bias(const json& bias) {
    for (const char* side : {"items", "users"}) {
      add(fmt::format("bias-{}", side), bias_plot(bias[side], side));
    }
    add("nine-groups", nine_plot(bias["nine"]));
    Plot nine = nine_plot(bias["nine"]);
    SheetRow row{"", {}, kSheetPlot, {}};
    row.layout.width = 380;  // nine figures with their deviations need it
    row.layout.height = 270;
    for (const char* side : {"items", "users"}) {
      row.plots.push_back(bias_plot(bias[side], side));
      row.titles.push_back(fmt::format("({}) {}, r = {:.3f}", row.plots.size() == 1 ? 'a' : 'b',
                                       side, value_of(bias[side]["pearson"])));
    }
    std::vector<LegendKey> keys = row.plots.front().keys();
    keys.front().name = "single items, users";
    row.plots.push_back(std::move(nine));
    row.titles.emplace_back("(c) bias angle, radians");
    add_svg("sheet-bias", sheet_svg({std::move(row)}, keys));
  }

  void vectors() {
    for (const ShownMethod& method : methods_) {
      const json& geometry = (*method.run)["geometry"];
      if (geometry.is_object()) {
        add("norms-" + method.label,
            norms_plot(geometry["norms"], method.label, palette(method.slot)));
      }
      const json& margins = (*method.run)["margins"];
      if (margins.is_object() && value_of(margins["bin_radians"]) > 0) {
        add("margins-" + method.label, margins_plot(margins, method.label, palette(method.slot)));
      }
    }
  }

  void sheets() {
    add_svg("sheet-margins", margin_sheet());
    geometry_sheet();
    results_sheet();
  }

  std::optional<std::size_t> first_of(std::size_t group) const {
    for (std::size_t u = 0; u < data_set_["users"].size(); ++u) {
      if (data_set_["users"][u]["group"] == group) return u;
    }
    return std::nullopt;
  }

  // A head and a tail user under every method, spheres above angles: as the paper shows them.
  void geometry_sheet() {
    std::vector<SheetRow> rows;
    std::vector<LegendKey> keys;
    for (const std::size_t group : {0U, 2U}) {
      const auto user = first_of(group);
      if (!user) continue;
      SheetRow spheres{fmt::format("{} user", eval::kGroupNames[group]), {}, kSheetBare, {}};
      SheetRow angles{"", {}, kSheetPlot, {}, true};
      spheres.layout.width = angles.layout.width = 240;
      spheres.layout.height = 220;
      spheres.layout.right += 20;  // for the degrees beside it
      angles.layout.left = 46;
      angles.layout.height = 140;
      for (const ShownMethod& method : methods_) {
        const json& geometry = (*method.run)["geometry"];
        if (!geometry.is_object() || *user >= geometry["users"].size()) continue;
        if (spheres.plots.size() == kSheetColumns) break;
        if (rows.empty()) spheres.titles.push_back(method.label);
        const json& drawn = geometry["users"][*user];
        spheres.plots.push_back(sphere_plot(geometry, drawn, ""));
        angles.plots.push_back(angles_plot(geometry, drawn, "", top_of(*user)));
      }
      if (spheres.plots.empty()) continue;
      keys = spheres.plots.front().keys();
      rows.push_back(std::move(spheres));
      rows.push_back(std::move(angles));
    }
    if (!rows.empty()) add_svg("sheet-geometry", sheet_svg(std::move(rows), keys));
  }

  // Accuracy, what a correction does to it, and exposure: four panels, one legend.
  void results_sheet() {
    SheetRow above{"", {}, kSheetPlot, {}}, below{"", {}, kSheetPlot, {}};
    above.layout.width = below.layout.width = 380;
    above.layout.height = below.layout.height = 270;
    char letter = 'a';
    const auto put = [&](std::optional<Plot> plot, const std::string& title) {
      if (!plot) return;
      SheetRow& row = above.plots.size() < 2 ? above : below;
      row.titles.push_back(fmt::format("({}) {}", letter++, title));
      row.plots.push_back(std::move(*plot));
    };
    put(quality_plot(methods_, main_test_, false), "Recall@20 on " + main_test_);
    if (data_set_["front"].is_object()) {
      put(fronts_plot(data_set_, runs_, methods_), "correction from 0 (sign) to 1.5");
    }
    put(lift_plot(methods_), "recommended / consumed");
    put(lorenz_plot(data_set_, methods_), "Lorenz curve; dashed: consumed");
    if (above.plots.size() < 2) return;
    std::vector<LegendKey> keys;
    for (const ShownMethod& method : methods_) {
      keys.push_back({method.label, std::string(palette(method.slot)), symbol(method.slot)});
    }
    std::vector<SheetRow> rows{std::move(above)};
    if (!below.plots.empty()) rows.push_back(std::move(below));
    add_svg("sheet-results", sheet_svg(std::move(rows), keys));
  }

  const json& runs_;
  const json& data_set_;
  std::string prefix_;
  std::vector<Figure>& out_;
  Methods methods_;
  std::string main_test_;
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
