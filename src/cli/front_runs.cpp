// In: run folders. Out: lines of runs on one data set; what is wrong with others is said.
#include "cli/front_runs.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "cli/console.h"
#include "cli/run_folder.h"
#include "data/hash.h"
#include "model/model_data.h"
#include "rank/correction.h"
#include "report/methods.h"

namespace evenkeel::cli {
namespace {

bool same_ids(const data::Ids& a, const data::Ids& b) {
  if (a.size() != b.size()) return false;
  for (Row row = 0; row < b.size(); ++row) {
    if (!a.find(b.text(row))) return false;
  }
  return true;
}

// Of the pairs by their ids, whatever their order: runs number their rows by themselves.
std::uint64_t pairs_of(const data::Dataset& data, const data::Part& part) {
  std::uint64_t sum = part.interactions();
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    if (part.items_of.count(user) == 0) continue;
    const std::string name = std::to_string(data::hash_bytes(data.users.text(Row(user)))) + " ";
    for (const Row item : part.items_of.row(user)) {
      sum += data::hash_bytes(name + std::string(data.items.text(item)));
    }
  }
  return sum;
}

bool has_part(const data::Dataset& data, const std::string& name) {
  if (name == data.valid.name) return data.valid.interactions() > 0;
  return std::any_of(data.tests.begin(), data.tests.end(),
                     [&](const data::Part& test) { return test.name == name; });
}

}  // namespace

void FrontRuns::look_at(const std::string& folder, Threads& threads) {
  if (seen_.contains(folder)) return;
  const model::Model model = load_run_model(folder);
  const data::Dataset data = model::dataset_of(model);
  if (first_.empty()) {
    first_ = folder;
    users_ = model.user_ids;
    items_ = model.item_ids;
    axes_ = analysis::front_axes(data);
  } else if (!same_ids(users_, model.user_ids) || !same_ids(items_, model.item_ids)) {
    fail_data(
        "{} and {} know other users and items, so a front cannot compare them; name runs of one "
        "data set",
        first_, folder);
  }
  for (const std::string& part : {axes_.logged, axes_.balanced}) {
    if (has_part(data, part)) continue;
    fail_data("{} has a part '{}' and {} has none; a front compares runs with the same tests",
              first_, part, folder);
  }
  seen_[folder] = {rank::temperature_of(model, threads),
                   pairs_of(data, analysis::front_part(data, axes_.balanced))};
}

FrontRuns::FrontRuns(const std::vector<std::string>& paths,
                     const std::vector<analysis::FrontCurve>& curves, Threads& threads) {
  const report::FoundRuns found = report::find_runs(paths);
  for (const auto& [path, reason] : found.skipped) say("evenkeel: {}: {}", path, reason);
  std::vector<report::RunRecord> records;
  std::vector<std::size_t> members;
  for (const std::string& folder : found.folders) {
    records.push_back(report::read_run(folder));
    if (!records.back().has_model()) {
      say("evenkeel: {}: left out, it has no model", folder);
      continue;
    }
    members.push_back(records.size() - 1);
    look_at(folder, threads);
    if (!seen_[folder].temperature) {
      say("evenkeel: {}: has no curve of the popularity correction: its model does not know its "
          "temperature, and none could be fitted on validation",
          folder);
    }
  }
  if (members.empty()) fail_data("there is no finished run to draw a front of; name run folders");
  for (const report::MethodGroup& group : report::group_methods(records, members)) {
    for (const analysis::FrontCurve& curve : curves) {
      const rank::RerankerEntry* reranker = curve.reranker.entry;
      FrontLine line{group.label, {}, curve};
      if (reranker != nullptr) line.label += fmt::format(", {}", reranker->name);
      for (const std::size_t run : group.runs) {
        const std::string& folder = records[run].path;
        if (reranker != nullptr || seen_[folder].temperature) line.folders.push_back(folder);
      }
      if (!line.folders.empty()) lines_.push_back(std::move(line));
    }
  }
  if (lines_.empty()) {
    fail_data("no run has a front: none can be corrected; train with a validation part");
  }
  pair_lines();
}

model::Model FrontRuns::load(const std::string& folder) const {
  model::Model model = load_run_model(folder);
  model.temperature = seen_.at(folder).temperature.value_or(model.temperature);
  return model;
}

void FrontRuns::pair_lines() {
  std::vector<std::vector<std::uint64_t>> tests;
  for (const FrontLine& line : lines_) {
    tests.emplace_back();
    for (const std::string& folder : line.folders) tests.back().push_back(seen_.at(folder).test);
  }
  pairs_ = analysis::pair_seeds(tests);
  if (!pairs_.apart) return;
  fail_data(
      "{} and {} were not tested on the same pairs of '{}', so a front cannot compare them; train "
      "them with the same --seed and --split, or on a folder that is split already",
      lines_[pairs_.apart->first].folders.front(), lines_[pairs_.apart->second].folders.front(),
      axes_.balanced);
}

}  // namespace evenkeel::cli
