// In: parsed words. Out: nothing, or a config error.
#include "cli/output_guard.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "data/folder.h"
#include "data/prepared.h"
#include "train/run_folder.h"

namespace evenkeel::cli {
namespace {

namespace fs = std::filesystem;
namespace files = train::run_files;

// What names something to write; every other value may name something to read.
constexpr std::array<std::string_view, 4> kOutputs{"--out", "--log", "--log-file", "--figures"};

// Commands whose --out is a folder that is replaced whole.
constexpr std::array<std::string_view, 3> kReplacing{"split", "prepare", "synth"};

constexpr std::array<std::string_view, 9> kRunFiles{
    files::kModel,   files::kConfig,    files::kEvents,          files::kCheckpoint, files::kResult,
    files::kFailure, files::kSelection, files::kRefitCheckpoint, files::kStart};

constexpr std::array<std::string_view, 2> kFrontEndings{".csv", ".svg"}, kNoEnding{"", ""};

template <typename List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool same(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  return fs::equivalent(a, b, failure) && !failure;
}

// Where the bytes would go: links are followed.
fs::path target_of(const std::string& path) {
  std::error_code failure;
  const fs::path target = fs::weakly_canonical(path, failure);
  return failure ? fs::path(path) : target;
}

bool is_run_file(const fs::path& file) {
  if (!holds(kRunFiles, file.filename().string())) return false;
  const std::string folder = file.parent_path().string();
  return std::any_of(kRunFiles.begin(), kRunFiles.end(),
                     [&](std::string_view name) { return train::has_run_file(folder, name); });
}

// A file that belongs to the data in `folder`.
bool is_data_file(const fs::path& file, const std::string& folder) {
  if (!same(file.parent_path(), folder)) return false;
  return data::is_prepared(folder) || data::is_file_of_parts(file.string());
}

struct Words {
  struct Output {
    std::string option, path;
  };
  std::vector<Output> outputs;
  std::vector<std::string> inputs;
};

Words words_of(const CLI::App& command) {
  Words words;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_expected_max() == 0) continue;  // a flag
    const bool writes = std::any_of(kOutputs.begin(), kOutputs.end(), [&](std::string_view name) {
      return option->check_name(std::string(name));
    });
    for (const std::string& value : option->results()) {
      if (value.empty()) continue;
      if (writes) {
        words.outputs.push_back({option->get_name(), value});
      } else {
        words.inputs.push_back(value.starts_with('@') ? value.substr(1) : value);
      }
    }
  }
  return words;
}

void check_file(const std::string& option, const std::string& path,
                const std::vector<std::string>& inputs) {
  const fs::path target = target_of(path);
  if (is_run_file(target)) {
    fail_config("{} is {}, which is a file of the run in {}; name another file", option, path,
                target.parent_path().string());
  }
  for (const std::string& input : inputs) {
    const bool read = is_folder(input) ? is_data_file(target, input) : same(target, input);
    if (read) {
      fail_config("{} is {}, which this command reads; name another file", option, path);
    }
  }
}

}  // namespace

void refuse_outputs_onto_inputs(const CLI::App& command) {
  const Words words = words_of(command);
  const bool fronts = command.get_name() == "evaluate";  // its --out takes endings
  const bool replaces = holds(kReplacing, command.get_name());
  for (const auto& [option, path] : words.outputs) {
    for (const std::string_view ending :
         fronts&& option != "--log-file" ? kFrontEndings : kNoEnding) {
      const std::string file = path + std::string(ending);
      if (is_file(file)) check_file(option, file, words.inputs);
    }
    if (!replaces || !is_folder(path)) continue;
    for (const std::string& input : words.inputs) {
      const bool inside = is_file(input) && same(fs::absolute(input).parent_path(), path);
      if (same(input, path) || inside) {
        fail_config("{} is {}, which {} this command reads; name another folder", option, path,
                    inside ? "holds what" : "is what");
      }
    }
  }
}

}  // namespace evenkeel::cli
