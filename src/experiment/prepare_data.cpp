// In: a plan. Out: data on disk and in memory.
#include "experiment/prepare_data.h"
#include "base/printable.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/regular_file.h"
#include "data/load.h"
#include "data/options.h"
#include "data/prepare.h"
#include "data/prepared.h"
#include "data/split.h"
#include "experiment/run_paths.h"
#include "io/atomic_file.h"
#include "train/run.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;

// The parts of a folder as one adjacency file (a user may have several lines), to be cut anew.
std::string joined_parts(const std::string& folder, const std::string& target) {
  std::string all;
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.insert(entry.path().string());
  }
  for (const std::string& file : files) {
    all += read_regular_file(file, std::numeric_limits<std::uint64_t>::max());
    if (!all.ends_with('\n')) all += '\n';
  }
  fs::create_directories(fs::path(target).parent_path());
  io::write_file_atomically(target, all);
  return target;
}

// A single file is cut once, into a folder named by how; its manifest is written last.
std::string parts_folder(const DataPlan& data, const std::string& file, const std::string& out,
                         Threads& threads) {
  Settings settings(data::data_fields());
  for (const Option& option : data.split) settings.set(option.name, option.value);
  std::string folder =
      fmt::format("{}/data/{}-{}", out, slug(data.name), hash_text(settings.to_toml()));
  if (fs::exists(folder + "/manifest.json") || data::is_prepared(folder)) return folder;
  const std::string whole =
      !data::comes_from_log(file) ? joined_parts(file, folder + ".txt") : file;
  data::prepare({.files = {whole}, .out = folder, .split = true}, settings, threads);
  return folder;
}

std::vector<std::string> tests_of(const Plan& plan, const PreparedData& prepared) {
  std::vector<std::string> names;
  for (const data::Part& test : prepared.data.tests) names.push_back(test.name);
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
    if (!data.cut_by_runs && !fs::exists(prepared.path)) {  // else reading says it
      fail_data("{}: there is no such data; get it, or name its place with --data-root",
                prepared.path);
    }
    Settings how = train::run_settings();
    const bool folder = data::is_split_already(prepared.path);
    if (data.cut_by_runs) {
      for (const Option& option : data.options) how.set(option.name, option.value);
    } else if (!out.empty() && (!folder || !data.split.empty())) {
      prepared.path = parts_folder(data, prepared.path, out, threads);
    } else if (!folder) {
      for (const Option& option : data.split) how.set(option.name, option.value);
    }
    prepared.data = data::load_data(prepared.path, how, threads);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    prepared.error = error.what();
    return prepared;
  }
  // A folder that is to be cut anew has its tests only then.
  const bool as_planned =
      !out.empty() || data.split.empty() || !data::is_split_already(prepared.path);
  if (as_planned) prepared.tests = tests_of(plan, prepared);
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

}  // namespace evenkeel::experiment
