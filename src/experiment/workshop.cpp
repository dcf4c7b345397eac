// In: a plan. Out: data on disk and in memory, names of folders, rough times.
#include "experiment/workshop.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "data/hash.h"
#include "data/load.h"
#include "data/options.h"
#include "data/split.h"
#include "train/options.h"
#include "train/run.h"

namespace evenkeel {
namespace {

namespace fs = std::filesystem;

std::string hash_text(const std::string& text) {
  return fmt::format("{:08x}", hash_bytes(text) & 0xffffffffU);
}

// A single file is cut once, into a folder named by how; its manifest is written last.
std::string parts_folder(const DataPlan& data, const std::string& file, const std::string& out,
                         Threads& threads) {
  Settings settings(data_fields());
  for (const Option& option : data.split) settings.set(option.name, option.value);
  const std::string folder =
      fmt::format("{}/data/{}-{}", out, slug(data.name), hash_text(settings.to_toml()));
  if (!fs::exists(folder + "/manifest.json")) split_file(file, folder, settings, threads);
  return folder;
}

std::vector<std::string> tests_of(const Plan& plan, const PreparedData& prepared) {
  std::vector<std::string> names;
  for (const Part& test : prepared.data.tests) names.push_back(test.name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& test : prepared.plan->tests) {
    if (std::find(names.begin(), names.end(), test) == names.end()) {
      fail_config("{}: data set {}: {}", plan.file, prepared.plan->name,
                  unknown_name("test", test, known));
    }
  }
  return prepared.plan->tests.empty() ? names : prepared.plan->tests;
}

PreparedData prepare(const Plan& plan, const DataPlan& data, const std::string& out,
                     Threads& threads) {
  PreparedData prepared;
  prepared.plan = &data;
  prepared.path = data_path(plan, data);
  try {
    if (!fs::exists(prepared.path)) {
      fail_data("{}: there is no such data; get it, or name its place with --data-root",
                prepared.path);
    }
    Settings how = run_settings();
    if (data.cut_by_runs) {
      for (const Option& option : data.options) how.set(option.name, option.value);
    } else if (!fs::is_directory(prepared.path) && out.empty()) {
      for (const Option& option : data.split) how.set(option.name, option.value);
    } else if (!fs::is_directory(prepared.path)) {
      prepared.path = parts_folder(data, prepared.path, out, threads);
    }
    prepared.data = load_data(prepared.path, how, threads);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    prepared.error = error.what();
    return prepared;
  }
  prepared.tests = tests_of(plan, prepared);
  return prepared;
}

}  // namespace

std::string data_path(const Plan& plan, const DataPlan& data) {
  return (fs::path(plan.data_root) / data.path).lexically_normal().string();
}

std::vector<PreparedData> prepare_data(const Plan& plan, const std::string& out, Threads& threads) {
  std::vector<PreparedData> all;
  for (const DataPlan& data : plan.data) all.push_back(prepare(plan, data, out, threads));
  return all;
}

std::string run_folder(const std::string& out, std::string_view stage, const Cell& cell,
                       std::string_view words, const Settings& settings) {
  constexpr std::size_t kLongest = 80;
  std::string set;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name)) continue;
    set += fmt::format("{} = {}\n", field->name, to_text(settings.value(field->name)));
  }
  for (const Option& option : cell.data->split) set += option.name + to_text(option.value) + "\n";
  return fmt::format("{}/{}/{}/{}/{}/{}-{}", out, stage, slug(cell.data->name),
                     slug(cell.encoder->name), slug(cell.method->name),
                     slug(words.substr(0, kLongest)), hash_text(set + cell.data->path));
}

// Fitted to docs/performance.md: microseconds a sample on two cores at d = 64.
double expected_seconds(const Settings& given, std::size_t interactions) {
  constexpr double kSample = 2.0, kOwn = 0.032, kShared = 0.006, kTile = 0.003, kGraph = 30.0;
  constexpr int kEpochs = 60;
  Settings settings = given;
  resolve_defaults(settings);
  if (!find_loss(settings.text("loss")).trains()) return 1;
  const std::string& negatives = settings.text("negatives");
  double count = 4096, each = kTile;  // of in-batch and all
  std::size_t number = 0;
  if (std::from_chars(negatives.data(), negatives.data() + negatives.size(), number).ec ==
      std::errc()) {
    count = static_cast<double>(number);
    each = settings.flag("shared-negatives") ? kShared : kOwn;
  }
  double micros = kSample + each * count * static_cast<double>(settings.integer("dim")) / 64;
  if (settings.text("encoder") != "mf") micros += kGraph;
  const auto epochs =
      static_cast<double>(std::min<std::int64_t>(kEpochs, settings.integer("epochs")));
  return 1 + micros * 1e-6 * static_cast<double>(interactions) * epochs * 2 / available_cores();
}

}  // namespace evenkeel
