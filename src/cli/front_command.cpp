// In: runs on one data set. Out: every method's front, its area, and the methods compared at equal
// Recall as logged. Runs that differ in the seed alone are one method.
#include "cli/front_command.h"

#include <nlohmann/json.hpp>

#include "analysis/front_comparison.h"
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "io/atomic_file.h"
#include "model/model_data.h"
#include "rank/reranking.h"
#include "report/methods.h"
#include "report/svg.h"

namespace evenkeel::cli {
namespace {

// A line of the table: runs that differ in the seed alone, along one curve.
struct Line {
  std::string label;
  std::vector<std::string> folders;
  analysis::FrontCurve curve;
};
using Fronts = std::vector<analysis::MethodFront>;  // in the order of the lines

std::vector<Line> lines_of(const std::vector<std::string>& paths,
                           const std::vector<analysis::FrontCurve>& curves) {
  const report::FoundRuns found = report::find_runs(paths);
  for (const auto& [path, reason] : found.skipped) say("evenkeel: {}: {}", path, reason);
  std::vector<report::RunRecord> records;
  std::vector<std::size_t> members;
  for (const std::string& folder : found.folders) {
    records.push_back(report::read_run(folder));
    if (records.back().has_model()) {
      members.push_back(records.size() - 1);
    } else {
      say("evenkeel: {}: left out, it has no model", folder);
    }
  }
  if (members.empty()) fail_data("there is no finished run to draw a front of; name run folders");
  std::vector<Line> lines;
  for (const report::MethodGroup& group : report::group_methods(records, members)) {
    std::vector<std::string> folders;
    for (const std::size_t run : group.runs) folders.push_back(records[run].path);
    for (const analysis::FrontCurve& curve : curves) {
      const rank::RerankerEntry* reranker = curve.reranker.entry;
      const std::string suffix = reranker == nullptr ? "" : fmt::format(", {}", reranker->name);
      lines.push_back({group.label + suffix, folders, curve});
    }
  }
  return lines;
}

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

Fronts trace(const std::vector<Line>& lines, const analysis::FrontAxes& axes, Threads& threads) {
  Fronts fronts;
  for (const Line& line : lines) {
    std::vector<analysis::Front> seeds;
    for (const std::string& folder : line.folders) {
      seeds.push_back(analysis::trace_front(load_run_model(folder), axes, line.curve, threads));
    }
    fronts.push_back(analysis::mean_front(line.curve, std::move(seeds)));
  }
  return fronts;
}

double sd_of(const analysis::Moments& moments) {
  return moments.sample_sd().value_or(0);
}

nlohmann::json to_json(const std::vector<Line>& lines, const Fronts& fronts,
                       const analysis::FrontAxes& axes, double level) {
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
                    {"area", {{"mean", front.area.mean}, {"sd", sd_of(front.area)}}},
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

void print_table(const std::vector<Line>& lines, const Fronts& fronts,
                 const analysis::FrontAxes& axes, double level) {
  out("fronts of Recall@20: {} against {}{}\n", printable(axes.logged), printable(axes.balanced),
      axes.estimated ? " (balanced estimate)" : "");
  Table table({"method", "seeds", "as logged", "area x 1000", "strength", "logged", "balanced",
               "difference", "p"});
  const double base = fronts.front().at_level.balanced;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const analysis::MethodFront& front = fronts[n];
    const analysis::FrontPoint& first = front.points.front();
    const analysis::AtLevel& at = front.at_level;
    table.add({lines[n].label, std::to_string(lines[n].folders.size()),
               fmt::format("{:.4f} / {:.4f}", first.logged, first.balanced),
               fmt::format("{:.4f} +- {:.4f}", 1000 * front.area.mean, 1000 * sd_of(front.area)),
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

std::string csv_of(const std::vector<Line>& lines, const Fronts& fronts) {
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

std::string svg_of(const std::vector<Line>& lines, const Fronts& fronts,
                   const analysis::FrontAxes& axes) {
  std::vector<double> logged, balanced;
  bool reranks = false;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    reranks = reranks || lines[n].curve.reranker.entry != nullptr;
    for (const analysis::FrontPoint& point : fronts[n].points) {
      logged.push_back(point.logged);
      balanced.push_back(point.balanced);
    }
  }
  report::Plot plot(reranks ? "Popularity correction from 0 to 1.5, and rerankers"
                            : "Popularity correction from 0 to 1.5",
                    report::axis_over("Recall@20, " + axes.logged, logged, false),
                    report::axis_over("Recall@20, " + axes.balanced, balanced, true));
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
  const std::vector<Line> lines = lines_of(request.runs, curves_of(settings));
  const analysis::FrontAxes axes =
      analysis::front_axes(model::dataset_of(load_run_model(lines.front().folders.front())));
  Fronts fronts = trace(lines, axes, threads);
  const double level = analysis::common_level(fronts);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t seed = 0; seed < lines[n].folders.size(); ++seed) {
      const model::Model model = load_run_model(lines[n].folders[seed]);
      analysis::add_at_level(fronts[n], seed, model, axes, level, threads);
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
