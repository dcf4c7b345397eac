// In: runs of one data set. Out: what they share (statistics, bias, users and items shown) and what
// each one shows.
#include "report/data_set_report.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "data/load.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/statistics.h"
#include "eval/user_sample.h"
#include "io/json_text.h"
#include "report/analysis_json.h"
#include "report/comparisons.h"
#include "report/front_json.h"
#include "report/numbers.h"
#include "train/complete_settings.h"
#include "train/options.h"
#include "train/run.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string path_name(const std::string& path, bool with_parent) {
  const fs::path whole(path);
  std::string name = whole.filename().string();
  if (!with_parent || !whole.has_parent_path()) return name;
  return (whole.parent_path().filename() / name).string();
}

// How the data was cut, where its folder knows.
json manifest_of(const std::string& path) {
  if (data::is_prepared(path)) {
    json prepared = io::read_json_file((fs::path(path) / data::kPreparedKind.manifest).string());
    if (!prepared.is_object()) return {};
    prepared.erase("arrays");
    return prepared;
  }
  json manifest = io::read_json_file((fs::path(path) / "manifest.json").string());
  return manifest.is_object() ? manifest : json();
}

json statistics_json(const data::Dataset& data) {
  const data::Statistics statistics = data::make_statistics(data);
  json parts = json::array();
  for (const data::PartStatistics& part : statistics.parts) {
    parts.push_back({{"name", part.name},
                     {"users", part.users},
                     {"items", part.items},
                     {"interactions", part.interactions},
                     {"dkl", number(part.dkl)},
                     {"dkl_grouped", number(part.dkl_grouped)}});
  }
  return {{"users", statistics.users},
          {"items", statistics.items},
          {"interactions", statistics.interactions},
          {"density", number(statistics.density)},
          {"parts", std::move(parts)}};
}

// The data set of the page: of the first run that holds tests, else of any, else from the files;
// nothing when none of it can be read.
std::shared_ptr<const data::Dataset> reference_data(const DataSetGroup& group,
                                                    std::vector<RunRecord>& runs,
                                                    const std::set<std::size_t>& detailed,
                                                    DatasetCache& cache, Threads& threads) {
  std::shared_ptr<const data::Dataset> without_tests;
  for (const std::size_t run : group.runs) {
    if (!detailed.contains(run)) continue;
    const auto loaded = load_run(runs[run], cache);
    if (!loaded) continue;
    if (!loaded->data->tests.empty()) return loaded->data;
    if (!without_tests) without_tests = loaded->data;
  }
  if (without_tests) return without_tests;
  for (const std::size_t run : group.runs) {
    if (!runs[run].settings || runs[run].data.empty()) continue;
    try {
      return std::make_shared<const data::Dataset>(
          data::load_for_training(runs[run].data, *runs[run].settings, threads));
    } catch (const Error&) {  // the run's own problem is told; its data cannot be shown
    }
  }
  return nullptr;
}

// Trained with the defaults, whatever the runs used: 128 negatives, temperature 0.1.
train::ExtractorTables default_extractor(const data::Dataset& data, Threads& threads,
                                         train::Observer& observer, const std::atomic<bool>& stop) {
  observer.on_message("no run has a popularity extractor: training one for the bias section");
  Settings settings = train::run_settings();
  settings.set("loss", std::string_view("bc"));
  settings.set("negatives", std::string_view("128"));
  train::resolve_defaults(settings);
  train::fit_to_data(settings, data.interactions());
  train::Observer silent;
  return train::train_extractor(data, settings, threads, silent, stop);
}

void add_sampling(json& sampling, const std::string& what, std::size_t shown, std::size_t of,
                  const char* how) {
  if (shown < of) {
    sampling.push_back({{"what", what}, {"shown", shown}, {"of", of}, {"how", how}});
  }
}

json sampling_json(const std::string& name, const PageSelection& selection, const json& data_set) {
  json sampling = json::array();
  const data::Dataset& data = selection.data;
  add_sampling(sampling, "users to explore of " + name, selection.explore.size(), data.user_count(),
               "evenly spread from the most to the least active, with held-out items where the "
               "data has them");
  add_sampling(sampling, "users with geometry of " + name, selection.users.size(),
               data.user_count(),
               "two of each third by activity, at a quarter and three quarters of it");
  std::size_t drawn = 0;
  for (const PickedUser& picked : selection.users) {
    drawn = std::max(drawn, picked.shown_positive.size() + picked.shown_held_out.size() +
                                picked.shown_negative.size());
  }
  add_sampling(sampling, "items on a sphere of " + name, drawn, data.item_count(),
               "each user's own items and others evenly spread over the catalogue; histograms and "
               "means use every item");
  const auto listed = static_cast<std::size_t>(
      std::count_if(data.user_popularity.begin(), data.user_popularity.end(),
                    [](std::uint32_t popularity) { return popularity > 0; }));
  add_sampling(sampling, "users whose lists tell the exposure of " + name,
               eval::evaluation_users(std::nullopt, listed, data.item_count()), listed,
               "drawn from equal stretches of all users in order of their training count");
  if (!data_set["bias"].is_object()) return sampling;
  for (const char* side : {"items", "users"}) {
    const json& bias = data_set["bias"][side];
    add_sampling(sampling, fmt::format("{} in the bias scatter of {}", side, name),
                 bias["points"].size(), bias["count"].get<std::size_t>(),
                 "evenly spread by popularity; correlation and trend use all");
  }
  return sampling;
}

// The hardest pairs of every run with margins, and where the first softmax run ranks them.
void add_hard_pairs(std::map<std::size_t, RunDetail>& details, std::vector<RunRecord>& runs,
                    PageSelection& selection, DatasetCache& cache, Threads& threads) {
  std::optional<LoadedRun> softmax;
  for (const auto& [run, detail] : details) {
    if (!softmax && runs[run].text("loss") == "softmax") softmax = load_run(runs[run], cache);
  }
  for (auto& [run, detail] : details) {
    if (detail.hard.empty()) continue;
    const auto loaded = load_run(runs[run], cache);
    if (!loaded) continue;
    const auto own = ranks_of(detail.hard, *loaded, selection.data, threads);
    const auto before = softmax ? ranks_of(detail.hard, *softmax, selection.data, threads)
                                : std::vector<std::size_t>();
    for (std::size_t n = 0; n < detail.hard.size(); ++n) {
      const analysis::HardPair& pair = detail.hard[n];
      detail.margins["hardest"].push_back(
          {{"user", short_id(selection.data.users.text(pair.user))},
           {"user_group", selection.user_group[pair.user]},
           {"item", selection.items.index(pair.item)},
           {"margin", number(pair.margin)},
           {"rank", own.empty() ? json() : json(own[n])},
           {"softmax_rank", before.empty() ? json() : json(before[n])}});
    }
  }
}

std::size_t method_of(const DataSetGroup& group, std::size_t run) {
  const auto holds = [&](const MethodGroup& method) {
    return std::find(method.runs.begin(), method.runs.end(), run) != method.runs.end();
  };
  return static_cast<std::size_t>(std::find_if(group.methods.begin(), group.methods.end(), holds) -
                                  group.methods.begin());
}

// Tests with the same pairs are one test under several names.
json merged_tests(const data::Dataset& data) {
  json merged = json::array();
  for (auto test = data.tests.begin(); test != data.tests.end(); ++test) {
    const auto first = std::find_if(data.tests.begin(), test, [&](const data::Part& earlier) {
      return same_pairs(earlier, *test);
    });
    if (first != test) merged.push_back({{"name", test->name}, {"same_as", first->name}});
  }
  return merged;
}

json empty_data_set() {
  return {
      {"statistics",
       {{"users", 0}, {"items", 0}, {"interactions", 0}, {"density", 0}, {"parts", json::array()}}},
      {"popularity",
       {{"items", json::array()},
        {"users", json::array()},
        {"lorenz", json::array()},
        {"gini", 0},
        {"decile_share", std::vector<int>(analysis::kDeciles, 0)},
        {"group_share", {0, 0, 0}}}},
      {"items", {{"id", json::array()}, {"popularity", json::array()}, {"group", json::array()}}},
      {"users", json::array()},
      {"explore", json::array()},
      {"bias", nullptr},
      {"front", nullptr},
      {"merged_tests", json::array()},
      {"comparisons", json::array()}};
}

// The run's extractor, or one that is trained here; the sentence says which.
json data_set_bias(const data::Dataset& data, const std::optional<train::ExtractorTables>& own,
                   const std::string& owner, Threads& threads, train::Observer& observer,
                   const std::atomic<bool>& stop) {
  if (own) {
    return bias_json(analysis::measure_bias(analysis::bias_angles(data, *own), data), data,
                     fmt::format("The popularity extractor of run {}.", owner));
  }
  const train::ExtractorTables tables = default_extractor(data, threads, observer, stop);
  return bias_json(analysis::measure_bias(analysis::bias_angles(data, tables), data), data,
                   "A popularity extractor trained for this report with the default settings: no "
                   "run has one of its own.");
}

}  // namespace

std::vector<DataSetGroup> group_data_sets(const std::vector<RunRecord>& runs) {
  std::vector<DataSetGroup> groups;
  std::map<std::string, std::size_t> places;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::string key = runs[run].data;
    for (const Field& field : data::data_fields()) {
      if (field.effect != Effect::kSeed) key += "\n" + runs[run].text(std::string(field.name));
    }
    const auto [place, fresh] = places.try_emplace(key, groups.size());
    if (fresh) groups.push_back({"", runs[run].data, {}, {}});
    groups[place->second].runs.push_back(run);
  }
  std::map<std::string, int> uses;
  for (const DataSetGroup& group : groups) ++uses[path_name(group.path, false)];
  std::map<std::string, int> taken;
  for (DataSetGroup& group : groups) {
    group.name = group.path.empty() ? "unknown data"
                                    : path_name(group.path, uses[path_name(group.path, false)] > 1);
    if (const int use = ++taken[group.name]; use > 1) group.name += fmt::format(" #{}", use);
    group.methods = group_methods(runs, group.runs);
  }
  return groups;
}

DataSetReport report_data_set(const DataSetGroup& group, std::vector<RunRecord>& runs,
                              const std::set<std::size_t>& detailed, const std::string& titles_file,
                              Threads& threads, train::Observer& observer,
                              const std::atomic<bool>& stop) {
  DataSetReport report;
  report.data_set = empty_data_set();
  report.data_set["manifest"] = manifest_of(group.path);
  report.sampling = json::array();
  DatasetCache cache;
  const auto reference = reference_data(group, runs, detailed, cache, threads);
  if (!reference) return report;
  const data::Titles titles =
      titles_file.empty() ? data::Titles{} : data::find_titles(titles_file, reference->items);
  PageSelection selection(*reference, titles);
  std::map<std::size_t, std::shared_ptr<const data::Dataset>> data;
  std::optional<train::ExtractorTables> extractor;
  std::string owner;
  const std::optional<analysis::FrontAxes> axes = front_axes_of(*reference);
  std::set<std::size_t> traced;  // methods: one front stands for all seeds
  for (const std::size_t run : group.runs) {
    if (!detailed.contains(run)) continue;
    if (stop) throw Error(ErrorKind::kInterrupted, "stopped; no report was written");
    const auto loaded = load_run(runs[run], cache);
    if (!loaded) continue;
    observer.on_message(fmt::format("analysing {}", runs[run].path));
    try {
      const std::size_t method = method_of(group, run);
      report.runs[run] = analyze_run(runs[run], *loaded, selection,
                                     traced.contains(method) ? std::nullopt : axes, threads);
      if (report.runs[run].front.is_object()) traced.insert(method);
    } catch (const std::exception& error) {  // the other runs are worth their page
      runs[run].state = RunState::kNoModel;
      runs[run].problem = fmt::format("it cannot be analysed ({})", error.what());
      continue;
    }
    data[run] = loaded->data;
    if (extractor || loaded->model.user_popularity != reference->user_popularity ||
        loaded->model.item_popularity != reference->item_popularity) {
      continue;  // tables have a row for each popularity value, so they fit this data only
    }
    extractor = extractor_of(*loaded);
    if (extractor) owner = shown_path(runs[run].path);
  }
  report.data_set["bias"] = data_set_bias(*reference, extractor, owner, threads, observer, stop);
  report.data_set["statistics"] = statistics_json(*reference);
  report.data_set["popularity"] = popularity_json(*reference);
  add_hard_pairs(report.runs, runs, selection, cache, threads);
  report.data_set["users"] = selection.users_json();
  report.data_set["front"] = axes_json(axes, selection);
  report.data_set["explore"] = selection.explore_json();
  report.data_set["items"] = selection.items.to_json();  // last: all indices are given by now
  for (auto& [run, detail] : report.runs) {
    if (!detail.shown.empty()) detail.shown_json = selection.items.values(detail.shown);
  }
  report.data_set["comparisons"] = compare_methods(group.methods, report.runs, data);
  report.data_set["merged_tests"] = merged_tests(*reference);
  report.sampling = sampling_json(group.name, selection, report.data_set);
  return report;
}

}  // namespace evenkeel::report
