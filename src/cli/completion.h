// Completion for shells. In: the program's commands and options as CLI11 knows them; out: a script
// that bash, zsh or fish reads.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace evenkeel::cli {

struct CompletedOption {
  std::vector<std::string> names;  // with their dashes
  std::string help;
  bool takes_value = false;
  std::vector<std::string> choices;  // of the value, where they are known
};
struct CompletedCommand {
  std::string name, help;
  std::vector<CompletedOption> options;
};

std::vector<CompletedCommand> completed_commands(const CLI::App& program);
std::string completion_script(const std::string& shell,
                              const std::vector<CompletedCommand>& commands);

Action add_completion(CLI::App& app);

}  // namespace evenkeel::cli
