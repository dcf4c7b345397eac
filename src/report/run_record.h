// A run folder as the report meets it: whole, unfinished or damaged. In: its path; out: what can be
// read of it and one sentence about what cannot.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"

namespace evenkeel::report {

enum class RunState { kOk, kNoTest, kNoData, kNoModel, kDiverged, kUnfinished };
std::string_view state_name(RunState state);  // as web/src/data.ts spells it

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct RunRecord {
  std::string path;
  RunState state = RunState::kOk;
  std::string problem;               // a sentence unless the state is kOk
  std::optional<Settings> settings;  // nothing where config.toml cannot be read
  nlohmann::json config;             // every option, by name
  nlohmann::json result;             // result.json; an empty object without it
  std::vector<nlohmann::json> events;
  std::string data;  // path of the data; empty where it is not recorded
  std::string date;  // when result.json was written, "2026-01-31 12:00" in UTC; or empty

  bool has_model() const;
  std::string text(const std::string& option) const;  // "" where unknown
};

bool is_run_folder(const std::string& path);
RunRecord read_run(const std::string& path);

struct FoundRuns {
  std::vector<std::string> folders;  // in the order given; inside a folder by path
  std::vector<std::pair<std::string, std::string>> skipped;  // path and reason
};
// Each path is a run folder, or a folder with run folders somewhere inside. Of an experiment, the
// final runs (OUT/runs), not the candidates of its tuning (OUT/tune), which can be named.
FoundRuns find_runs(const std::vector<std::string>& paths);

// A path as a page may show it: from here on where it lies below, else its last two names. Pages
// are sent around, and whose machine they come from is nobody's business.
std::string shown_path(const std::string& path);

std::string shell_word(const std::string& word);  // quoted where a shell would not take it whole

// The command that trains the run again: every option that is not its default.
std::string train_command(const RunRecord& run);

}  // namespace evenkeel::report
