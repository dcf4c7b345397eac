// In: run folders. Out: their settings and figures side by side, one row per run.
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/result_table.h"
#include "cli/table.h"
#include "report/data_set_report.h"
#include "report/run_record.h"

namespace evenkeel::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> runs;
  bool json = false;
};

constexpr const char* kMetrics[] = {"recall@20", "ndcg@20"};

nlohmann::json part_of(const report::RunRecord& run, const std::string& part) {
  const auto evaluations = run.result.find("evaluations");
  if (evaluations == run.result.end() || !evaluations->is_object()) return {};
  const auto found = evaluations->find(part);
  return found == evaluations->end() || !found->is_object() ? nlohmann::json::object() : *found;
}

// Validation first, then every test of any run by name.
std::vector<std::string> parts_of(const std::vector<report::RunRecord>& runs) {
  std::set<std::string> tests;
  bool valid = false;
  for (const report::RunRecord& run : runs) {
    const auto evaluations = run.result.find("evaluations");
    if (evaluations == run.result.end() || !evaluations->is_object()) continue;
    for (const auto& [name, entry] : evaluations->items()) {
      if (name == "valid") {
        valid = true;
      } else {
        tests.insert(name);
      }
    }
  }
  std::vector<std::string> parts(tests.begin(), tests.end());
  if (valid) parts.insert(parts.begin(), "valid");
  return parts;
}

// By run; empty where all are of one data set.
std::vector<std::string> data_sets_of(const std::vector<report::RunRecord>& runs) {
  const std::vector<report::DataSetGroup> groups = report::group_data_sets(runs);
  if (groups.size() < 2) return {};
  std::vector<std::string> names(runs.size());
  for (const report::DataSetGroup& group : groups) {
    for (const std::size_t run : group.runs) names[run] = group.name;
  }
  return names;
}

std::string table_text(const std::vector<report::RunRecord>& runs) {
  const std::vector<std::string> parts = parts_of(runs), data_sets = data_sets_of(runs);
  std::vector<std::string> header{"run", "encoder", "loss"};
  if (!data_sets.empty()) {
    header.insert(header.begin() + 1, "data");
    say("evenkeel: these runs are of several data sets (column data), whose figures cannot be "
        "compared");
  }
  for (const std::string& part : parts) {
    for (const char* metric : kMetrics) header.push_back(part + " " + metric);
  }
  header.insert(header.end(), {"best epoch", "seconds"});
  Table table(header);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    const report::RunRecord& run = runs[n];
    std::vector<std::string> row{run.path, run.text("encoder"), run.text("loss")};
    if (!data_sets.empty()) row.insert(row.begin() + 1, printable(data_sets[n]));
    for (const std::string& part : parts) {
      for (const char* metric : kMetrics) row.push_back(figure(part_of(run, part), metric));
    }
    const auto timing = run.result.find("timing");
    row.push_back(figure(run.result, "best_epoch", 0));
    row.push_back(timing == run.result.end() ? "-" : figure(*timing, "train_seconds", 1));
    table.add(row);
  }
  return table.text();
}

nlohmann::json run_json(const report::RunRecord& run) {
  nlohmann::json entry{{"run", run.path}, {"state", report::state_name(run.state)}};
  if (!run.problem.empty()) entry["problem"] = run.problem;
  if (!run.data.empty()) entry["data"] = run.data;
  for (const char* option : {"encoder", "loss"}) entry[option] = run.text(option);
  for (const char* key : {"evaluations", "best_epoch", "epochs", "timing"}) {
    if (run.result.contains(key)) entry[key] = run.result[key];
  }
  return entry;
}

int compare_command(const CompareArguments& options) {
  const report::FoundRuns found = report::find_runs(options.runs);
  for (const auto& [path, reason] : found.skipped)
    say("evenkeel: {} is left out: {}", path, reason);
  if (found.folders.empty()) {
    fail_data("{}: there is no run; make one with: evenkeel train DATA --out RUN",
              options.runs.front());
  }
  std::vector<report::RunRecord> runs;
  for (const std::string& folder : found.folders) {
    runs.push_back(report::read_run(folder));
    const report::RunRecord& run = runs.back();
    if (run.result.empty()) say("evenkeel: {}: {}", run.path, run.problem);
  }
  if (options.json) {
    nlohmann::json answer = nlohmann::json::array();
    for (const report::RunRecord& run : runs) answer.push_back(run_json(run));
    out("{}\n", json_text({{"runs", std::move(answer)}}, 2));
  } else {
    write_out(table_text(runs));
  }
  return 0;
}

}  // namespace

Action add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  app.add_option("runs", options->runs, "run folders, or folders with runs inside")
      ->required()
      ->type_name("RUN...");
  add_json(app, options->json);
  app.footer("Figures are those that training recorded; evaluate measures anew.");
  return [options] { return compare_command(*options); };
}

}  // namespace evenkeel::cli
