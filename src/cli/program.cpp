// In: argv. Out: the named command, done; every failure one sentence on stderr and its exit code.
#include "cli/program.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/settings.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/messages.h"

namespace evenkeel::cli {
namespace {

constexpr int kUsage = static_cast<int>(ErrorKind::kConfig);
constexpr int kFailed = static_cast<int>(ErrorKind::kRun);

int complain(int code, std::string_view sentence) {
  say("evenkeel: error: {}", sentence);
  return code;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string did_you_mean(std::string_view kind, const std::string& word,
                         const std::vector<std::string>& known, const std::string& help) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string_view near = nearest(word, candidates);
  if (near.empty()) return fmt::format("{} '{}' is unknown; {} lists all", kind, word, help);
  return fmt::format("{} '{}' is unknown; did you mean '{}'? ({} lists all)", kind, word, near,
                     help);
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    const auto extras = app.remaining();
    if (extras.empty()) return "no command given; evenkeel --help lists them";
    if (extras.front().starts_with("-")) {
      return did_you_mean("option", extras.front(), option_names(app), "evenkeel --help");
    }
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return did_you_mean("command", extras.front(), names, "evenkeel --help");
  }
  const CLI::App& command = *chosen.front();
  const std::string help = "evenkeel " + command.get_name() + " --help";
  for (const std::string& extra : app.remaining(true)) {
    // An unknown word is named before what its lack may have caused (a missing --out, say).
    if (!extra.starts_with("-")) continue;
    const std::string word = extra.substr(0, extra.find('='));
    return did_you_mean("option", word, option_names(command), help);
  }
  std::string sentence = error.what();
  for (char& c : sentence) {
    if (c == '\n') c = ' ';
  }
  while (sentence.ends_with(' ') || sentence.ends_with('.')) sentence.pop_back();
  return fmt::format("{}; {} shows what is allowed", sentence, help);
}

int run_parsed(CLI::App& app, const std::vector<std::pair<CLI::App*, Action>>& actions,
               const Messages& messages) {
  for (const auto& [subcommand, action] : actions) {
    if (!app.got_subcommand(subcommand)) continue;
    const int code = action();
    flush_out();
    messages.done(code);
    return code;
  }
  return complain(kUsage, "no command given; evenkeel --help lists them");
}

// `messages` outlives what this throws, so that the sentence about it comes into the log, too.
int run_checked(int argc, const char* const* argv, std::optional<Messages>& messages) {
  CLI::App app(
      "evenkeel trains collaborative-filtering embeddings that keep head and tail items "
      "on an even keel.",
      "evenkeel");
  app.set_version_flag("--version", "evenkeel " EVENKEEL_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  std::vector<std::pair<CLI::App*, Action>> actions;
  MessageOptions message_options;
  for (const Command& command : commands()) {
    CLI::App* subcommand =
        app.add_subcommand(std::string(command.name), std::string(command.description));
    actions.emplace_back(subcommand, command.add(*subcommand));
    message_options.add_to(*subcommand);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    write_out(chosen.empty() ? app.help() : chosen.front()->help("evenkeel"));
    flush_out();
    return 0;
  } catch (const CLI::CallForVersion& version) {
    out("{}\n", version.what());
    flush_out();
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(kUsage, usage_sentence(app, error));
  }
  messages.emplace(message_options, argc, argv);
  return run_parsed(app, actions, *messages);
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  // A reader that leaves (`| head`) must not kill a training run: writes report it instead.
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<Messages> messages;
  try {
    return run_checked(argc, argv, messages);
  } catch (const ReaderGone&) {
    return 0;
  } catch (const Error& error) {
    return complain(error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return complain(kFailed, "out of memory; use fewer dimensions, a smaller batch or less data");
  } catch (const std::system_error& error) {
    return complain(kFailed, fmt::format("the system refused: {}", error.what()));
  } catch (const std::exception& error) {
    const std::string_view what = error.what();
    return complain(kFailed, what.starts_with("internal error")
                                 ? std::string(what)
                                 : fmt::format("internal error: {}; please report it", what));
  } catch (...) {
    return complain(kFailed, "internal error: an unknown exception; please report it");
  }
}

}  // namespace evenkeel::cli
