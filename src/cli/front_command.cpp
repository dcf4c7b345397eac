// In: runs on one data set. Out: every method's front, its area, and the methods compared at equal
// Recall as logged. Runs that differ in the seed alone are one method.
#include "cli/front_command.h"

#include <nlohmann/json.hpp>

#include "analysis/front_comparison.h"
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/front_runs.h"
#include "cli/table.h"
#include "io/atomic_file.h"
#include "rank/reranking.h"
#include "report/svg.h"

namespace evenkeel::cli {
namespace {

using Fronts = std::vector<analysis::MethodFront>;  // in the order of the lines
using Lines = std::vector<FrontLine>;

// The correction first, then every reranker that is asked for.
std::vector<analysis::FrontCurve> curves_of(const Settings& settings) {
  std::vector<analysis::FrontCurve> curves{{}};
  const std::string& asked = settings.text("rerank");
  if (asked == "all") {
    for (const rank::RerankerEntry& entry : rank::rerankers()) {
      curves.push_back({rank::rerank_ask(rank::rerank_words(settings, entry.name))});
    }
    return curves;
  }
  for (const std::string& name : cut_at_commas(asked)) {
    const rank::RerankAsk ask = rank::rerank_ask(rank::rerank_words(settings, name));
    if (ask.entry != nullptr) curves.push_back({ask});
  }
  return curves;
}

Fronts trace(const FrontRuns& runs, Threads& threads) {
  Fronts fronts;
  for (const FrontLine& line : runs.lines()) {
    std::vector<analysis::Front> seeds;
    for (const std::string& folder : line.folders) {
      seeds.push_back(analysis::trace_front(runs.load(folder), runs.axes(), line.curve, threads));
    }
    fronts.push_back(analysis::mean_front(line.curve, std::move(seeds)));
    fronts.back().paired = runs.paired(fronts.size() - 1);
  }
  return fronts;
}

nlohmann::json sd_json(const analysis::Moments& moments) {
  const auto sd = moments.sample_sd();
  return sd ? nlohmann::json(*sd) : nlohmann::json();
}

std::string area_text(const analysis::Moments& area) {
  const auto sd = area.sample_sd();  // one seed has none
  return sd ? fmt::format("{:.4f} +- {:.4f}", 1000 * area.mean, 1000 * *sd)
            : fmt::format("{:.4f}", 1000 * area.mean);
}

nlohmann::json to_json(const Lines& lines, const Fronts& fronts, const analysis::FrontAxes& axes,
                       double level) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const analysis::MethodFront& front = fronts[n];
    const rank::RerankerEntry* reranker = front.curve.reranker.entry;
    const char* turned = reranker == nullptr ? "debias" : "strength";
    nlohmann::json points = nlohmann::json::array();
    for (const analysis::FrontPoint& point : front.points) {
      points.push_back({{turned, point.debias},
                        {"logged_recall@20", point.logged},
                        {"balanced_recall@20", point.balanced},
                        {"logged_ndcg@20", point.logged_ndcg},
                        {"balanced_ndcg@20", point.balanced_ndcg}});
    }
    rows.push_back({{"method", lines[n].label},
                    {"runs", lines[n].folders},
                    {"area", {{"mean", front.area.mean}, {"sd", sd_json(front.area)}}},
                    {"at_level",
                     {{turned, front.at_level.strength},
                      {"logged_recall@20", front.at_level.logged},
                      {"balanced_recall@20", front.at_level.balanced},
                      {"p", front.p_value}}},
                    {"points", std::move(points)}});
    if (reranker != nullptr) rows.back()["reranker"] = reranker->name;
  }
  return {{"logged", axes.logged},
          {"balanced", axes.balanced},
          {"estimated", axes.estimated},
          {"level", level},
          {"methods", std::move(rows)}};
}

void print_table(const Lines& lines, const Fronts& fronts, const analysis::FrontAxes& axes,
                 double level) {
  if (axes.estimated) {
    out("fronts of Recall@20 on {}: as logged against balanced (estimated: no test shows items "
        "alike)\n",
        printable(axes.logged));
  } else {
    out("fronts of Recall@20: {} against {}\n", printable(axes.logged), printable(axes.balanced));
  }
  Table table({"method", "seeds", "as logged", "area x 1000", "strength", "logged",
               axes.estimated ? "balanced, estimated" : "balanced", "difference", "p"});
  const double base = fronts.front().at_level.balanced;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const analysis::MethodFront& front = fronts[n];
    const analysis::FrontPoint& first = front.points.front();
    const analysis::AtLevel& at = front.at_level;
    table.add({lines[n].label, std::to_string(lines[n].folders.size()),
               fmt::format("{:.4f} / {:.4f}", first.logged, first.balanced), area_text(front.area),
               fmt::format("{:.2f}", at.strength), fmt::format("{:.4f}", at.logged),
               fmt::format("{:.4f}", at.balanced),
               n == 0 || base <= 0 ? "-" : fmt::format("{:+.1f} %", 100 * (at.balanced / base - 1)),
               n == 0 ? "-" : fmt::format("{:.4f}", front.p_value)});
  }
  out("{}", table.text());
  out("strength, logged, balanced: where each front comes down to Recall@20 {:.4f} as logged; p: "
      "paired over users against the first method, corrected by Holm\n",
      level);
}

std::string csv_of(const Lines& lines, const Fronts& fronts) {
  std::string text =
      "method,debias,logged_recall,balanced_recall,logged_ndcg,balanced_ndcg,reranker\n";
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::string name;
    for (const char c : lines[n].label) name += c == '"' ? "\"\"" : std::string(1, c);
    const rank::RerankerEntry* reranker = lines[n].curve.reranker.entry;
    for (const analysis::FrontPoint& point : fronts[n].points) {
      text += fmt::format("\"{}\",{},{},{},{},{},{}\n", name, point.debias, point.logged,
                          point.balanced, point.logged_ndcg, point.balanced_ndcg,
                          reranker == nullptr ? "" : reranker->name);
    }
  }
  return text;
}

std::string svg_of(const Lines& lines, const Fronts& fronts, const analysis::FrontAxes& axes) {
  std::vector<double> logged, balanced;
  bool reranks = false;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    reranks = reranks || lines[n].curve.reranker.entry != nullptr;
    for (const analysis::FrontPoint& point : fronts[n].points) {
      logged.push_back(point.logged);
      balanced.push_back(point.balanced);
    }
  }
  const std::string estimated = axes.estimated ? ", balanced (estimated)" : "";
  report::Plot plot(reranks ? "Popularity correction from 0 to 1.5, and rerankers"
                            : "Popularity correction from 0 to 1.5",
                    report::axis_over("Recall@20, " + axes.logged, logged, false),
                    report::axis_over("Recall@20, " + axes.balanced + estimated, balanced, true));
  for (std::size_t n = 0; n < lines.size(); ++n) {
    report::Plot::Points points;
    for (const analysis::FrontPoint& point : fronts[n].points) {
      points.push_back({point.logged, point.balanced});
    }
    plot.line(points, report::palette(n));
    plot.dots({points.front()}, report::palette(n), 4, 1);
    plot.legend(lines[n].label, report::palette(n));
  }
  return plot.svg();
}

}  // namespace

int front_command(const FrontRequest& request, const Settings& settings) {
  Threads threads(static_cast<int>(settings.integer("threads")));
  const FrontRuns runs(request.runs, curves_of(settings), threads);
  const Lines& lines = runs.lines();
  const analysis::FrontAxes& axes = runs.axes();
  Fronts fronts = trace(runs, threads);
  const double level = analysis::common_level(fronts);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t seed = 0; seed < lines[n].folders.size(); ++seed) {
      const model::Model model = runs.load(lines[n].folders[seed]);
      analysis::add_at_level(fronts[n], seed, model, axes, level, runs.users(), threads);
    }
  }
  analysis::set_p_values(fronts);
  if (!request.out.empty()) {
    io::write_file_atomically(request.out + ".csv", csv_of(lines, fronts));
    io::write_file_atomically(request.out + ".svg", svg_of(lines, fronts, axes));
    say("evenkeel: wrote {0}.csv and {0}.svg", request.out);
  }
  if (request.json) {
    out("{}\n", json_text(to_json(lines, fronts, axes, level), 2));
  } else {
    print_table(lines, fronts, axes, level);
  }
  return 0;
}

}  // namespace evenkeel::cli
