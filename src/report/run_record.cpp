// In: folders. Out: records of the runs in them; a damaged file is a sentence, never an exception.
#include "report/run_record.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/regular_file.h"
#include "io/json_text.h"
#include "train/checkpoint.h"
#include "train/run.h"
#include "train/run_folder.h"
#include "train/run_result.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

using namespace train::run_files;

fs::path file_of(const std::string& run, std::string_view name) {
  return fs::path(run) / name;
}

bool there_is(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool all_numbers(const json& object) {
  return object.is_object() && std::all_of(object.begin(), object.end(),
                                           [](const json& value) { return value.is_number(); });
}

// Every entry of an object (or nothing at all) passes.
bool each(const json& object, const char* key, const std::function<bool(const json&)>& passes) {
  if (!object.contains(key)) return true;
  return object[key].is_object() && std::all_of(object[key].begin(), object[key].end(), passes);
}

// Whether result.json has the shape that train writes: anybody may have edited it.
bool well_formed(const json& result) {
  const auto sides = [](const json& part) {
    return part.is_object() && each(part, "items", all_numbers) && each(part, "users", all_numbers);
  };
  const auto plain = [](const json& value) { return value.is_primitive() && !value.is_null(); };
  const auto number = [](const json& value) { return value.is_number(); };
  const auto count = [&](const char* key) {
    return !result.contains(key) || result[key].is_number_integer();
  };
  return result.is_object() && count("best_epoch") && count("epochs") &&
         count("peak_memory_bytes") && count("threads") &&
         each(result, "evaluations", all_numbers) && each(result, "groups", sides) &&
         each(result, "config", plain) && each(result, "timing", number) &&
         each(result, "chosen", number);
}

bool well_formed_event(const json& event) {
  return event.is_object() && event.contains("epoch") && event["epoch"].is_number_integer() &&
         (!event.contains("valid") || all_numbers(event["valid"])) &&
         (!event.contains("best") || event["best"].is_boolean());
}

// result.json, or an empty object; `problem` says why where there is one that cannot serve.
json read_result(const std::string& run, std::string& problem) {
  const fs::path path = file_of(run, kResult);
  if (!there_is(path)) return json::object();
  try {
    json result = io::parse_json(read_regular_file(path.string()));
    if (well_formed(result)) return result;
    problem = "its result.json is not as evenkeel train writes it; train the run again";
  } catch (const Error& error) {
    problem = fmt::format("its result.json cannot be read ({})", error.what());
  }
  return json::object();
}

// A line that is no event is passed over, as a program may have been killed while it wrote.
std::vector<json> read_events(const std::string& run, std::string& problem) {
  std::vector<json> events;
  const fs::path path = file_of(run, kEvents);
  if (!there_is(path)) return events;
  try {
    std::istringstream lines(read_regular_file(path.string()));
    for (std::string line; std::getline(lines, line);) {
      json event = io::parse_json(line);
      if (!well_formed_event(event)) continue;
      if (!events.empty() && event["epoch"] < events.back()["epoch"]) break;  // of a refit
      events.push_back(std::move(event));
    }
  } catch (const Error& error) {
    problem = fmt::format("its events.jsonl cannot be read ({})", error.what());
  }
  return events;
}

// What a run that failed has left of itself; nothing when it did not.
json read_failure(const std::string& run) {
  if (!there_is(file_of(run, kFailure))) return json::object();
  const json failure = io::read_json_file(file_of(run, kFailure).string());
  const bool whole = failure.is_object() && failure.contains("error") &&
                     failure["error"].is_string() && failure.contains("data") &&
                     failure["data"].is_string() && failure.contains("config") &&
                     failure["config"].is_object();
  return whole ? failure : json::object();
}

// A failed run has its settings beside the reason instead of in config.toml.
Settings recorded_settings(const std::string& run) {
  Settings settings = train::run_settings();
  if (there_is(file_of(run, kConfig))) {
    settings.load_toml(file_of(run, kConfig).string());
    return settings;
  }
  const json failure = read_failure(run);
  for (const auto& [name, value] : failure.at("config").items()) {
    if (value.is_boolean()) settings.set(name, Value(value.get<bool>()));
    if (value.is_number_integer()) settings.set(name, Value(value.get<std::int64_t>()));
    if (value.is_number_float()) settings.set(name, Value(value.get<double>()));
    if (value.is_string()) settings.set(name, Value(value.get<std::string>()));
  }
  return settings;
}

void read_settings(RunRecord& run) {
  try {
    run.settings = recorded_settings(run.path);
    if (const std::string from = run.settings->text("from"); !from.empty()) {
      run.settings->set("from", Value(shown_path(from)));  // as every path of the page
    }
    run.config = train::config_json(*run.settings);
  } catch (const Error& error) {
    run.state = RunState::kNoModel;
    run.problem = fmt::format("its configuration cannot be read ({})", error.what());
    run.config = run.result.value("config", json::object());
  }
}

bool lost_its_loss(const RunRecord& run) {
  return !run.events.empty() && run.events.back().contains("loss") &&
         !run.events.back()["loss"].is_number();
}

// The data of a training that goes on, so that it stands beside the finished runs of that data.
std::string source_of_checkpoint(const std::string& run) {
  const fs::path path = file_of(run, train::run_files::kCheckpoint);
  if (!there_is(path)) return "";
  try {
    return train::checkpoint_source(path.string());
  } catch (const Error&) {
    return "";  // damaged: resuming it will say so
  }
}

void classify(RunRecord& run) {
  if (const json failure = read_failure(run.path); !failure.empty() && run.result.empty()) {
    run.state = RunState::kDiverged;
    run.problem = failure["error"].get<std::string>();
    run.data = failure["data"].get<std::string>();
  } else if (lost_its_loss(run)) {
    run.state = RunState::kDiverged;
    run.problem = "training diverged: the last loss is not a number";
  } else if (run.result.empty()) {
    run.state = RunState::kUnfinished;
    run.data = source_of_checkpoint(run.path);
    run.problem = fmt::format(
        "there is no result.json yet: training goes on or was stopped after epoch {}; "
        "evenkeel train with --resume finishes it",
        run.events.empty() ? 0 : run.events.back().value("epoch", 0));
  } else if (!run.has_model()) {
    run.state = RunState::kNoModel;
    run.problem = "there is no model.safetensors: figures are from result.json alone";
  }
}

std::string date_of(const fs::path& path) {
  std::error_code failure;
  const auto written = fs::last_write_time(path, failure);
  if (failure) return "";
  const auto seconds =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written));
  const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
  std::tm parts{};
  if (gmtime_r(&time, &parts) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

}  // namespace

std::string shown_path(const std::string& path) {
  const fs::path whole = fs::path(path).lexically_normal();
  if (!whole.is_absolute()) return path;
  std::error_code failure;
  const fs::path below = whole.lexically_relative(fs::current_path(failure));
  if (!failure && !below.empty() && *below.begin() != "..") return below.string();
  const fs::path parent = whole.parent_path().filename();
  return (parent / whole.filename()).string();
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-_./:,=+@%", c);
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

std::string option_words(const Field& field, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return fmt::format(" --{}{}", *flag ? "" : "no-", field.name);
  }
  const auto* text = std::get_if<std::string>(&value);
  const auto* number = std::get_if<double>(&value);
  return fmt::format(" --{} {}", field.name,
                     text != nullptr     ? shell_word(*text)
                     : number != nullptr ? fmt::format("{}", *number)
                                         : to_text(value));
}

void search_folder(const fs::path& folder, int depth, std::vector<std::string>& found) {
  constexpr int kDeepest = 6;
  if (is_run_folder(folder.string())) {
    found.push_back(folder.string());
    return;
  }
  if (depth == kDeepest) return;
  std::set<fs::path> inside;  // directories come in any order
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    std::error_code ignored;
    if (entry.is_directory(ignored)) inside.insert(entry.path());
  }
  // An experiment's candidates: the best is among the runs, too, and the others are no methods.
  if (inside.contains(folder / "runs")) inside.erase(folder / "tune");
  for (const fs::path& path : inside) search_folder(path, depth + 1, found);
}

}  // namespace

std::string_view state_name(RunState state) {
  constexpr std::string_view kNames[] = {"ok",       "no-test",  "no-data",
                                         "no-model", "diverged", "unfinished"};
  return kNames[static_cast<std::size_t>(state)];
}

bool RunRecord::has_model() const {
  return there_is(file_of(path, kModel));
}

std::string RunRecord::text(const std::string& option) const {
  const auto found = config.find(option);
  if (found == config.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

bool is_run_folder(const std::string& path) {
  return (there_is(file_of(path, kConfig)) &&
          (there_is(file_of(path, kResult)) || there_is(file_of(path, kEvents)))) ||
         !read_failure(path).empty();
}

RunRecord read_run(const std::string& path) {
  RunRecord run;
  run.path = path;
  std::string problem;
  run.events = read_events(path, problem);
  run.result = read_result(path, problem);
  run.data = run.result.contains("data") && run.result["data"].is_string()
                 ? run.result["data"].get<std::string>()
                 : "";
  run.date = date_of(file_of(path, kResult));
  read_settings(run);
  if (run.settings) classify(run);
  if (!problem.empty()) {
    run.state = RunState::kNoModel;
    run.problem = std::move(problem);
  }
  return run;
}

FoundRuns find_runs(const std::vector<std::string>& paths) {
  FoundRuns runs;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    std::vector<std::string> found;
    search_folder(path, 0, found);
    if (found.empty()) {
      runs.skipped.emplace_back(path, there_is(path) ? "holds no run folder (config.toml and "
                                                       "result.json or events.jsonl)"
                                                     : "there is no such folder");
    }
    for (std::string& folder : found) {
      std::error_code ignored;
      const std::string place = fs::weakly_canonical(folder, ignored).string();
      if (seen.insert(place.empty() ? folder : place).second) {
        runs.folders.push_back(std::move(folder));
      }
    }
  }
  return runs;
}

std::string train_command(const RunRecord& run) {
  std::string command = fmt::format("evenkeel train {} --out {}",
                                    shell_word(run.data.empty() ? "DATA" : shown_path(run.data)),
                                    shell_word(shown_path(run.path)));
  if (!run.settings) return command;
  for (const Field* field : run.settings->fields()) {
    const Value& value = run.settings->value(field->name);
    if (field->effect == Effect::kSpeed || value == field->default_value) continue;
    command += option_words(*field, value);
  }
  return command;
}

}  // namespace evenkeel::report
