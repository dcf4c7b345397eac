// In: folders. Out: the report: find runs -> group by data -> analyse -> compare -> say.
#include "report/report.h"

#include <algorithm>
#include <set>

#include "analysis/correlation.h"
#include "base/error.h"
#include "data/text_file.h"
#include "kernels/rows.h"
#include "report/choose_detailed.h"
#include "report/data_set_report.h"
#include "report/findings.h"
#include "report/numbers.h"
#include "report/verdict.h"
#include "train/run_result.h"

namespace evenkeel::report {
namespace {

constexpr const char* compiler() {
#if defined(__clang__)
  return __VERSION__;  // names itself
#else
  return "GCC " __VERSION__;
#endif
}

using nlohmann::json;

constexpr std::size_t kFewRuns = 24, kEpochsOfFew = 200, kEpochsOfMany = 50;

// Epochs that validated before others, the best and the last always.
json training_json(const std::vector<json>& events, std::size_t most) {
  std::vector<const json*> kept;
  kept.reserve(events.size());
  for (const json& event : events) kept.push_back(&event);
  if (kept.size() > most) {
    std::erase_if(kept, [](const json* event) { return !event->contains("valid"); });
    if (kept.empty()) {
      for (const json& event : events) kept.push_back(&event);
    }
  }
  std::size_t best = kept.size();
  for (std::size_t n = 0; n < kept.size(); ++n) {
    if (kept[n]->value("best", false)) best = n;
  }
  std::set<std::size_t> places;
  for (const std::size_t place : spread_places(kept.size(), most)) places.insert(place);
  if (best < kept.size()) places.insert(best);
  json points = json::array();
  for (const std::size_t place : places) {
    const json& event = *kept[place];
    const json valid = event.value("valid", json::object());
    points.push_back({{"epoch", event["epoch"]},
                      {"loss", rounded(event.value("loss", json()))},
                      {"seconds", rounded(event.value("seconds", json(0)))},
                      {"recall", rounded(valid.value("recall@20", json()))},
                      {"ndcg", rounded(valid.value("ndcg@20", json()))},
                      {"capped_share", rounded(event.value("capped_share", json()))},
                      {"best", event.value("best", false)}});
  }
  return points;
}

json or_null(const json& object, const char* key) {
  return object.contains(key) ? rounded(object[key]) : json();
}

std::string text_field(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? short_id(found->get<std::string>()) : "";
}

bool has_tests(const json& evaluations) {
  return std::any_of(evaluations.begin(), evaluations.end(),
                     [](const json& evaluation) { return evaluation["part"] != "valid"; });
}

json run_json(RunRecord& run, const RunDetail* detail, std::size_t most_epochs) {
  json evaluations = detail != nullptr ? detail->evaluations : recorded_evaluations(run.result);
  if (run.state == RunState::kOk && !has_tests(evaluations)) {
    run.state = RunState::kNoTest;
    run.problem =
        evaluations.empty()
            ? "its data has neither a test nor a validation part (--split none), so no quality is "
              "measured: its lists, exposure and geometry are shown"
            : "its data has no test part: what is shown is validation, which chose the best "
              "epoch and so flatters";
  }
  const auto part = [&](const json RunDetail::*field) {
    return detail != nullptr ? detail->*field : json();
  };
  const auto whole = [&](const char* key) {
    const auto found = run.config.find(key);
    return found != run.config.end() && found->is_number() ? *found : json(0);
  };
  return {{"path", shown_path(run.path)},
          {"date", run.date},
          {"state", state_name(run.state)},
          {"problem", run.problem.empty() ? json() : json(run.problem)},
          {"detailed", detail != nullptr},
          {"finding", ""},
          {"loss", run.text("loss")},
          {"encoder", run.text("encoder")},
          {"score", run.text("score")},
          {"dim", whole("dim")},
          {"seed", whole("seed")},
          {"best_epoch", or_null(run.result, "best_epoch")},
          {"epochs", or_null(run.result, "epochs")},
          {"timing", or_null(run.result, "timing")},
          {"threads", or_null(run.result, "threads")},
          {"processor", text_field(run.result, "processor")},
          {"peak_memory_bytes", or_null(run.result, "peak_memory_bytes")},
          {"chosen", run.result.value("chosen", json::object())},
          {"config", run.config},
          {"command", train_command(run)},
          {"evaluations", std::move(evaluations)},
          {"training", training_json(run.events, most_epochs)},
          {"exposure", part(&RunDetail::exposure)},
          {"geometry", part(&RunDetail::geometry)},
          {"margins", part(&RunDetail::margins)},
          {"front", part(&RunDetail::front)},
          {"shown", detail != nullptr ? detail->shown_json : json::array()},
          {"explore", detail != nullptr ? detail->explore : json::array()}};
}

// Means and deviations over the seeds of a method, part by part.
json method_evaluations(const MethodGroup& method, const json& runs) {
  std::vector<std::string> parts;
  std::map<std::string, std::map<std::string, analysis::Moments>> figures;
  for (const std::size_t run : method.runs) {
    for (const json& evaluation : runs[run]["evaluations"]) {
      const std::string part = evaluation["part"].get<std::string>();
      if (!figures.contains(part)) parts.push_back(part);
      for (const char* kind : {"metrics", "exposure"}) {
        for (const auto& [name, value] : evaluation[kind].items()) {
          if (value.is_number()) figures[part][name].add(value.get<double>());
        }
      }
    }
  }
  json list = json::array();
  for (const std::string& part : parts) {
    json mean = json::object(), sd = json::object();
    std::size_t seeds = 0;
    for (const auto& [name, moments] : figures[part]) {
      mean[name] = number(moments.mean);
      sd[name] = number(moments.sample_sd());
      seeds = std::max(seeds, moments.count);
    }
    list.push_back({{"part", part}, {"seeds", seeds}, {"mean", mean}, {"sd", sd}});
  }
  return list;
}

json test_names(const json& runs, const std::vector<std::size_t>& members, const json& merged) {
  json names = json::array();
  for (const std::size_t run : members) {
    for (const json& evaluation : runs[run]["evaluations"]) {
      const json& part = evaluation["part"];
      const bool copy = std::any_of(merged.begin(), merged.end(),
                                    [&](const json& test) { return test["name"] == part; });
      if (part != "valid" && !copy && std::find(names.begin(), names.end(), part) == names.end()) {
        names.push_back(part);
      }
    }
  }
  return names;
}

// Names the runs of a data set and lets its methods speak.
void finish_data_set(const DataSetGroup& group, std::size_t index, bool several, json& data_set,
                     json& runs) {
  data_set["name"] = group.name;
  data_set["path"] = shown_path(group.path);
  data_set["runs"] = group.runs;
  data_set["tests"] = test_names(runs, group.runs, data_set["merged_tests"]);
  data_set["methods"] = json::array();
  for (const MethodGroup& method : group.methods) {
    data_set["methods"].push_back({{"label", method.label},
                                   {"runs", method.runs},
                                   {"evaluations", method_evaluations(method, runs)},
                                   {"finding", ""}});
  }
  data_set["main_test"] = most_uniform_test(data_set);
  const std::string where = several ? " on " + group.name : "";
  for (std::size_t m = 0; m < group.methods.size(); ++m) {
    const MethodGroup& method = group.methods[m];
    const std::string finding = method_finding(data_set, runs, m);
    data_set["methods"][m]["finding"] = finding;
    std::map<std::string, int> uses;
    for (const std::size_t run : method.runs) {
      const std::string seed =
          method.runs.size() > 1 ? fmt::format(", seed {}", runs[run]["seed"].dump()) : "";
      std::string label = fmt::format("{}{}{}", method.label, seed, where);
      if (const int use = ++uses[label]; use > 1) label += fmt::format(" #{}", use);
      runs[run]["label"] = label;
      runs[run]["method"] = method.label;
      runs[run]["data_set"] = index;
      runs[run]["finding"] = finding;
    }
  }
  data_set["verdict"] = verdict_json(data_set, runs);
}

json sweeps_json(const DataSetGroup& group, std::size_t index, const std::vector<RunRecord>& runs) {
  json list = json::array();
  for (const SweepAxis& axis : find_sweeps(runs, group.runs)) {
    json points = json::array();
    for (const SweepAxis::Place& place : axis.places) {
      points.push_back({{"value", place.value}, {"runs", place.runs}});
    }
    list.push_back({{"data_set", index},
                    {"method", axis.method},
                    {"key", axis.key},
                    {"numeric", axis.numeric},
                    {"points", std::move(points)}});
  }
  return list;
}

json notices_json(const FoundRuns& found, const std::vector<DataSetGroup>& groups,
                  const std::vector<RunRecord>& runs, std::size_t detailed) {
  json notices = json::array();
  if (runs.empty()) {
    notices.push_back(
        "There is no run to report: train one with evenkeel train DATA --out RUN, "
        "then write this report again with evenkeel report RUN --out report.html.");
  }
  if (!found.skipped.empty()) {
    notices.push_back(fmt::format("{} of the named folders hold no run and were left out.",
                                  found.skipped.size()));
  }
  if (groups.size() > 1) {
    std::vector<std::string> names;
    names.reserve(groups.size());
    for (const DataSetGroup& group : groups) names.push_back(group.name);
    notices.push_back(
        fmt::format("The runs come from {} data sets ({}): they are shown apart, "
                    "and compared only within a data set.",
                    groups.size(), fmt::join(names, ", ")));
  }
  const auto broken = static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const auto& run) { return run.state != RunState::kOk; }));
  if (broken > 0 && runs.size() > 1) {
    notices.push_back(fmt::format("{} of {} runs {} not whole; each says why.", broken, runs.size(),
                                  broken == 1 ? "is" : "are"));
  }
  std::size_t loadable = 0;
  for (const RunRecord& run : runs) {
    loadable += run.result.empty() ? 0 : 1;
    if (run.state != RunState::kOk && runs.size() <= kFewRuns) {
      notices.push_back(fmt::format("{}: {}.", shown_path(run.path), run.problem));
    }
  }
  if (detailed < loadable && runs.size() > kMostDetailed) {
    notices.push_back(fmt::format(
        "{} runs: geometry, exposure, fronts and lists are shown for {} of them, the two best on "
        "each test and the best setting of each loss on validation first; figures and curves for "
        "all.",
        runs.size(), detailed));
  }
  return notices;
}

std::string title_of(const std::vector<DataSetGroup>& groups) {
  if (groups.empty()) return "evenkeel report";
  std::vector<std::string> names;
  std::set<std::string> methods;  // one method on two data sets is one method
  for (const DataSetGroup& group : groups) {
    if (!group.path.empty() || groups.size() == 1) names.push_back(group.name);
    for (const MethodGroup& method : group.methods) methods.insert(method.label);
  }
  return fmt::format("{} method{} on {}", methods.size(), methods.size() == 1 ? "" : "s",
                     fmt::join(names, ", "));
}

}  // namespace

json make_report(const ReportRequest& request, Threads& threads, train::Observer& observer,
                 const std::atomic<bool>& stop) {
  if (!request.titles.empty()) data::TextFile(request.titles);  // before any work: can it be read
  const FoundRuns found = find_runs(request.paths);
  std::vector<RunRecord> records;
  for (const std::string& folder : found.folders) records.push_back(read_run(folder));
  const std::vector<DataSetGroup> groups = group_data_sets(records);
  const std::set<std::size_t> detailed = choose_detailed(groups, records);

  json runs = json::array();
  runs.get_ref<json::array_t&>().resize(records.size());
  json data_sets = json::array(), sampling = json::array(), sweeps = json::array();
  const std::size_t most_epochs = records.size() <= kFewRuns ? kEpochsOfFew : kEpochsOfMany;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    DataSetReport report =
        report_data_set(groups[g], records, detailed, request.titles, threads, observer, stop);
    for (const std::size_t run : groups[g].runs) {
      const auto detail = report.runs.find(run);
      runs[run] = run_json(records[run], detail != report.runs.end() ? &detail->second : nullptr,
                           most_epochs);
    }
    finish_data_set(groups[g], g, groups.size() > 1, report.data_set, runs);
    data_sets.push_back(std::move(report.data_set));
    for (json& entry : report.sampling) sampling.push_back(std::move(entry));
    for (json& sweep : sweeps_json(groups[g], g, records)) sweeps.push_back(std::move(sweep));
  }
  json skipped = json::array();
  for (const auto& [path, reason] : found.skipped) {
    skipped.push_back({{"path", shown_path(path)}, {"reason", reason}});
  }
  json notices = notices_json(found, groups, records, detailed.size());
  return {{"format", "evenkeel-report"},
          {"version", 1},
          {"title", title_of(groups)},
          {"k", kReportK},
          {"data_sets", std::move(data_sets)},
          {"runs", std::move(runs)},
          {"sweeps", std::move(sweeps)},
          {"notices", std::move(notices)},
          {"skipped", std::move(skipped)},
          {"sampling", std::move(sampling)},
          {"environment",
           {{"evenkeel", request.version},
            {"compiler", compiler()},
            {"simd", kernels::simd_name()},
            {"cpu", train::processor()},
            {"command", request.command}}}};
}

}  // namespace evenkeel::report
