// In: runs on one data set. Out: every method's front, its area, and the methods compared at equal
// Recall as logged. Runs that differ in the seed alone are one method.
#include "cli/front_command.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/front.h"
#include "base/error.h"
#include "cli/console.h"
#include "cli/run_folder.h"
#include "cli/table.h"
#include "eval/significance.h"
#include "io/atomic_file.h"
#include "model/model_data.h"
#include "report/methods.h"
#include "report/svg.h"

namespace evenkeel::cli {
namespace {

// Methods are compared where the least of them still has this share of its best logged Recall.
constexpr double kLevel = 0.95;

struct Spread {
  double mean = 0, sd = 0;
};
Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const auto count = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (const double value : values) spread.sd += (value - spread.mean) * (value - spread.mean);
  spread.sd = values.size() > 1 ? std::sqrt(spread.sd / (count - 1)) : 0;
  return spread;
}

struct Method {
  std::string label;
  std::vector<std::string> folders;
  std::vector<analysis::Front> fronts;       // one per seed
  std::vector<analysis::FrontPoint> points;  // their means
  Spread area;
  // At the common level of logged Recall, means over the seeds.
  double debias = 0, logged = 0, balanced = 0;
  eval::Evaluation users;  // balanced figures of every user, means over the seeds
  double p_value = 1;      // of the balanced Recall against the first method's, by Holm
};

std::vector<Method> methods_of(const std::vector<std::string>& paths) {
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
  std::vector<Method> methods;
  for (const report::MethodGroup& group : report::group_methods(records, members)) {
    Method method;
    method.label = group.label;
    for (const std::size_t run : group.runs) method.folders.push_back(records[run].path);
    methods.push_back(std::move(method));
  }
  return methods;
}

void trace(Method& method, const analysis::FrontAxes& axes, Threads& threads) {
  std::vector<double> areas;
  for (const std::string& folder : method.folders) {
    method.fronts.push_back(analysis::trace_front(load_run_model(folder), axes, threads));
    areas.push_back(method.fronts.back().area);
  }
  method.area = spread_of(areas);
  method.points = method.fronts.front().points;
  const auto seeds = static_cast<double>(method.fronts.size());
  for (std::size_t i = 0; i < method.points.size(); ++i) {
    analysis::FrontPoint mean{method.points[i].debias};
    for (const analysis::Front& front : method.fronts) {
      mean.logged += front.points[i].logged / seeds;
      mean.balanced += front.points[i].balanced / seeds;
      mean.logged_ndcg += front.points[i].logged_ndcg / seeds;
      mean.balanced_ndcg += front.points[i].balanced_ndcg / seeds;
    }
    method.points[i] = mean;
  }
}

// Every seed comes down to the level by a strength of its own.
void compare_at(Method& method, const analysis::FrontAxes& axes, double level, Threads& threads) {
  const auto seeds = static_cast<double>(method.folders.size());
  for (std::size_t run = 0; run < method.folders.size(); ++run) {
    model::Model model = load_run_model(method.folders[run]);
    const auto& points = method.fronts[run].points;
    const double debias = analysis::strength_at(points, level).value_or(0);
    const eval::Evaluation balanced = analysis::at_strength(model, axes.balanced, debias, threads);
    const eval::Evaluation logged =
        axes.logged == axes.balanced ? balanced
                                     : analysis::at_strength(model, axes.logged, debias, threads);
    method.debias += debias / seeds;
    method.logged += logged.overall.recall / seeds;
    method.balanced += (axes.estimated ? balanced.balanced : balanced.overall.recall) / seeds;
    if (method.users.per_user.empty()) {
      for (const eval::UserResult& user : balanced.per_user) {
        method.users.per_user.push_back({user.user, 0, 0});
      }
    }
    for (std::size_t u = 0; u < balanced.per_user.size(); ++u) {
      method.users.per_user[u].recall += balanced.per_user[u].recall / seeds;
    }
  }
}

double common_level(const std::vector<Method>& methods) {
  double level = 1;
  for (const Method& method : methods) {
    double best = 0;
    for (const analysis::FrontPoint& point : method.points) best = std::max(best, point.logged);
    level = std::min(level, kLevel * best);
  }
  return level;
}

// Every method against the first: as many comparisons, corrected by Holm.
void set_p_values(std::vector<Method>& methods) {
  std::vector<double> raw;
  for (std::size_t m = 1; m < methods.size(); ++m) {
    const eval::PairedFigures pairs =
        eval::pair_users(methods[m].users, methods.front().users, &eval::UserResult::recall);
    raw.push_back(eval::paired_t_test(pairs.a, pairs.b).p);
  }
  const std::vector<double> adjusted = eval::holm_adjusted(raw);
  for (std::size_t m = 1; m < methods.size(); ++m) methods[m].p_value = adjusted[m - 1];
}

nlohmann::json to_json(const std::vector<Method>& methods, const analysis::FrontAxes& axes,
                       double level) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Method& method : methods) {
    nlohmann::json points = nlohmann::json::array();
    for (const analysis::FrontPoint& point : method.points) {
      points.push_back({{"debias", point.debias},
                        {"logged_recall@20", point.logged},
                        {"balanced_recall@20", point.balanced},
                        {"logged_ndcg@20", point.logged_ndcg},
                        {"balanced_ndcg@20", point.balanced_ndcg}});
    }
    rows.push_back({{"method", method.label},
                    {"runs", method.folders},
                    {"area", {{"mean", method.area.mean}, {"sd", method.area.sd}}},
                    {"at_level",
                     {{"debias", method.debias},
                      {"logged_recall@20", method.logged},
                      {"balanced_recall@20", method.balanced},
                      {"p", method.p_value}}},
                    {"points", std::move(points)}});
  }
  return {{"logged", axes.logged},
          {"balanced", axes.balanced},
          {"estimated", axes.estimated},
          {"level", level},
          {"methods", std::move(rows)}};
}

void print_table(const std::vector<Method>& methods, const analysis::FrontAxes& axes,
                 double level) {
  out("fronts of Recall@20: {} against {}{}\n", printable(axes.logged), printable(axes.balanced),
      axes.estimated ? " (balanced estimate)" : "");
  Table table({"method", "seeds", "as logged", "area x 1000", "strength", "logged", "balanced",
               "difference", "p"});
  for (const Method& method : methods) {
    const analysis::FrontPoint& first = method.points.front();
    const bool reference = &method == &methods.front();
    const double base = methods.front().balanced;
    table.add({method.label, std::to_string(method.folders.size()),
               fmt::format("{:.4f} / {:.4f}", first.logged, first.balanced),
               fmt::format("{:.4f} +- {:.4f}", 1000 * method.area.mean, 1000 * method.area.sd),
               fmt::format("{:.2f}", method.debias), fmt::format("{:.4f}", method.logged),
               fmt::format("{:.4f}", method.balanced),
               reference || base <= 0
                   ? "-"
                   : fmt::format("{:+.1f} %", 100 * (method.balanced / base - 1)),
               reference ? "-" : fmt::format("{:.4f}", method.p_value)});
  }
  out("{}", table.text());
  out("strength, logged, balanced: where each front comes down to Recall@20 {:.4f} as logged; p: "
      "paired over users against the first method, corrected by Holm\n",
      level);
}

std::string csv_of(const std::vector<Method>& methods) {
  std::string text = "method,debias,logged_recall,balanced_recall,logged_ndcg,balanced_ndcg\n";
  for (const Method& method : methods) {
    std::string name;
    for (const char c : method.label) name += c == '"' ? "\"\"" : std::string(1, c);
    for (const analysis::FrontPoint& point : method.points) {
      text += fmt::format("\"{}\",{},{},{},{},{}\n", name, point.debias, point.logged,
                          point.balanced, point.logged_ndcg, point.balanced_ndcg);
    }
  }
  return text;
}

std::string svg_of(const std::vector<Method>& methods, const analysis::FrontAxes& axes) {
  std::vector<double> logged, balanced;
  for (const Method& method : methods) {
    for (const analysis::FrontPoint& point : method.points) {
      logged.push_back(point.logged);
      balanced.push_back(point.balanced);
    }
  }
  report::Plot plot("Popularity correction from 0 to 1.5",
                    report::axis_over("Recall@20, " + axes.logged, logged, false),
                    report::axis_over("Recall@20, " + axes.balanced, balanced, true));
  for (std::size_t m = 0; m < methods.size(); ++m) {
    report::Plot::Points points;
    for (const analysis::FrontPoint& point : methods[m].points) {
      points.push_back({point.logged, point.balanced});
    }
    plot.line(points, report::palette(m));
    plot.dots({points.front()}, report::palette(m), 4, 1);
    plot.legend(methods[m].label, report::palette(m));
  }
  return plot.svg();
}

}  // namespace

int front_command(const FrontRequest& request, const Settings& settings) {
  Threads threads(static_cast<int>(settings.integer("threads")));
  std::vector<Method> methods = methods_of(request.runs);
  const analysis::FrontAxes axes =
      analysis::front_axes(model::dataset_of(load_run_model(methods.front().folders.front())));
  for (Method& method : methods) trace(method, axes, threads);
  const double level = common_level(methods);
  for (Method& method : methods) compare_at(method, axes, level, threads);
  set_p_values(methods);
  if (!request.out.empty()) {
    io::write_file_atomically(request.out + ".csv", csv_of(methods));
    io::write_file_atomically(request.out + ".svg", svg_of(methods, axes));
    say("evenkeel: wrote {0}.csv and {0}.svg", request.out);
  }
  if (request.json) {
    out("{}\n", json_text(to_json(methods, axes, level), 2));
  } else {
    print_table(methods, axes, level);
  }
  return 0;
}

}  // namespace evenkeel::cli
