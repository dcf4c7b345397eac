// In: a shell's name. Out: its completion script on stdout.
#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/settings.h"
#include "cli/console.h"

namespace evenkeel::cli {
namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

// "mf|lightgcn" names the values; "N|TIME" says what kind they are.
std::vector<std::string> choices_of(const std::string& type) {
  const bool words =
      type.find('|') != type.npos && std::all_of(type.begin(), type.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '|' || c == '-';
      });
  std::vector<std::string> choices;
  std::string_view rest = words ? std::string_view(type) : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    choices.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return choices;
}

CompletedOption option_of(const CLI::Option& option) {
  CompletedOption completed;
  for (const std::string& name : option.get_snames()) completed.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) completed.names.push_back("--" + name);
  completed.help = option.get_description();
  completed.takes_value = option.get_items_expected_max() > 0;
  if (completed.takes_value) completed.choices = choices_of(option.get_type_name());
  return completed;
}

std::string names_of(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const CompletedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string command_names(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CompletedCommand& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

// One word for a shell, whatever is in it.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// What is neither a command, an option nor a known value is a file: -o default does that.
std::string bash_script(const std::vector<CompletedCommand>& commands) {
  std::string options, values;
  for (const CompletedCommand& command : commands) {
    options += fmt::format("    {}) words='{}' ;;\n", command.name, names_of(command));
    for (const CompletedOption& option : command.options) {
      if (!option.takes_value) continue;
      for (const std::string& name : option.names) {
        values += fmt::format("    '{} {}') words='{}' known=1 ;;\n", command.name, name,
                              fmt::join(option.choices, " "));
      }
    }
  }
  return fmt::format(
      R"(# bash completion for evenkeel; source it, or put it where bash-completion looks.
_evenkeel() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words='' known=''
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$cur")
    return
  fi
  case "${{COMP_WORDS[1]}} $prev" in
{}  esac
  if [[ -z $known && $cur == -* ]]; then
    case "${{COMP_WORDS[1]}}" in
{}    esac
  fi
  COMPREPLY=()
  if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); fi
}}
complete -o default -F _evenkeel evenkeel
)",
      command_names(commands), values, options);
}

std::string zsh_script(const std::vector<CompletedCommand>& commands) {
  std::string names, cases;
  for (const CompletedCommand& command : commands) {
    names += fmt::format("    {}\n", shell_word(command.name + ":" + command.help));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const CompletedOption& option : command.options) {
      for (const std::string& name : option.names) {
        std::string value;
        if (!option.choices.empty()) {
          value = fmt::format(":value:({})", fmt::join(option.choices, " "));
        } else if (option.takes_value) {
          value = ":value:_files";
        }
        const std::string help = with_backslashes(option.help, "\\[]:");
        cases +=
            fmt::format("        {} \\\n", shell_word(fmt::format("{}[{}]{}", name, help, value)));
      }
    }
    cases += "        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef evenkeel
# zsh completion for evenkeel; put it as _evenkeel into a folder of $fpath.
_evenkeel() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _evenkeel "$@"; else compdef _evenkeel evenkeel; fi
)",
                     names, cases);
}

std::string fish_script(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# fish completion for evenkeel; put it into ~/.config/fish/completions/evenkeel.fish\n";
  for (const CompletedCommand& command : commands) {
    text += fmt::format("complete -c evenkeel -f -n __fish_use_subcommand -a {} -d {}\n",
                        command.name, shell_word(with_backslashes(command.help, "\\")));
    for (const CompletedOption& option : command.options) {
      std::string names;
      for (const std::string& name : option.names) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      const std::string value = !option.choices.empty()
                                    ? fmt::format(" -x -a '{}'", fmt::join(option.choices, " "))
                                : option.takes_value ? " -r"
                                                     : "";
      text +=
          fmt::format("complete -c evenkeel -n '__fish_seen_subcommand_from {}'{}{} -d {}\n",
                      command.name, names, value, shell_word(with_backslashes(option.help, "\\")));
    }
  }
  return text;
}

}  // namespace

std::vector<CompletedCommand> completed_commands(const CLI::App& program) {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; })) {
    CompletedCommand command{app->get_name(), app->get_description(), {}};
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional() && option->get_lnames().empty()) continue;
      command.options.push_back(option_of(*option));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string completion_script(const std::string& shell,
                              const std::vector<CompletedCommand>& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  fail_config("{}", unknown_name("shell", shell, kShells));
}

Action add_completion(CLI::App& app) {
  struct Arguments {
    std::string shell;
    bool json = false;
  };
  auto options = std::make_shared<Arguments>();
  app.add_option("shell", options->shell, "bash, zsh or fish")->required()->type_name("SHELL");
  app.add_flag("--json", options->json, "one JSON object: the shell and its script");
  app.footer(
      "bash: evenkeel completion bash > ~/.local/share/bash-completion/completions/evenkeel\n"
      "zsh:  evenkeel completion zsh > ~/.zfunc/_evenkeel   (fpath+=~/.zfunc before compinit)\n"
      "fish: evenkeel completion fish > ~/.config/fish/completions/evenkeel.fish");
  return [options, &app] {
    const std::string script =
        completion_script(options->shell, completed_commands(*app.get_parent()));
    if (options->json) {
      out("{}\n", json_text({{"shell", options->shell}, {"script", script}}));
    } else {
      write_out(script);
    }
    return 0;
  };
}

}  // namespace evenkeel::cli
