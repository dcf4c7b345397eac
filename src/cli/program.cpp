// In: argv. Out: the named command, done; every failure one sentence on stderr and its exit code.
#include "cli/program.h"

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/settings.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/messages.h"
#include "cli/output_guard.h"

namespace evenkeel::cli {
namespace {

constexpr int kUsage = static_cast<int>(ErrorKind::kConfig);
constexpr int kFailed = static_cast<int>(ErrorKind::kRun);

struct Outcome {
  int code = 0;
  std::string error = {};  // one sentence; empty where all went well or the command has said it
};

void complain(const Outcome& outcome) {
  if (!outcome.error.empty()) say("evenkeel: error: {}", outcome.error);
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

// CLI11 counts: "--user: 1 required ID missing".
std::string plain_sentence(std::string sentence) {
  constexpr std::string_view kCounted = ": 1 required ", kMissing = " missing";
  const std::size_t at = sentence.find(kCounted);
  if (at == sentence.npos || !sentence.ends_with(kMissing)) return sentence;
  const std::string name = sentence.substr(0, at);
  const std::size_t from = at + kCounted.size();
  const std::string value = sentence.substr(from, sentence.size() - kMissing.size() - from);
  return fmt::format("{} has no value; give {} {}", name, name, value);
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
  return fmt::format("{}; {} shows what is allowed", plain_sentence(std::move(sentence)), help);
}

// The "$FILE" of a script where FILE is not set. Ignored, it would serve everybody without a token,
// or list what is out of stock.
void refuse_empty_names(const CLI::App& command) {
  constexpr std::array<std::string_view, 10> kNames{"FILE",   "DIR",        "PATH", "RUN", "RUN2",
                                                    "RUN...", "RUN [DATA]", "DATA", "LOG", "NEW"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    if (std::find(kNames.begin(), kNames.end(), type) == kNames.end()) continue;
    for (const std::string& name : option->results()) {
      if (!name.empty()) continue;
      fail_config("{} is empty; give {}{}", option->get_positional() ? type : option->get_name(),
                  type, option->get_required() ? "" : ", or leave it out");
    }
  }
}

using Actions = std::vector<std::pair<CLI::App*, Action>>;

Outcome run_parsed(CLI::App& app, const Actions& actions, const Messages& messages) {
  for (const auto& [subcommand, action] : actions) {
    if (!app.got_subcommand(subcommand)) continue;
    const int code = action();
    flush_out();
    messages.done(code);
    return {code};
  }
  return {kUsage, "no command given; evenkeel --help lists them"};
}

void add_all(CLI::App& app, Actions& actions) {
  for (const Command& command : commands()) {
    CLI::App* subcommand =
        app.add_subcommand(std::string(command.name), std::string(command.description));
    actions.emplace_back(subcommand, command.add(*subcommand));
  }
}

// One call of the program. `messages` outlives what is thrown, so that the sentence about it comes
// into the log, too; of several ranks only the first writes one.
struct Call {
  int argc;
  const char* const* argv;
  FunctionRef<void(CLI::App&, Actions&)> add_commands;
  std::optional<Messages>& messages;
  bool writes_log = true;
};

Outcome run_checked(const Call& call) {
  CLI::App app(
      "evenkeel trains collaborative-filtering embeddings that keep head and tail items "
      "on an even keel.",
      "evenkeel");
  app.set_version_flag("--version", "evenkeel " EVENKEEL_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  Actions actions;
  call.add_commands(app, actions);
  MessageOptions message_options;
  for (const auto& [subcommand, action] : actions) message_options.add_to(*subcommand);
  try {
    app.parse(call.argc, call.argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    write_out(chosen.empty() ? app.help() : chosen.front()->help("evenkeel"));
    flush_out();
    return {};
  } catch (const CLI::CallForVersion& version) {
    out("{}\n", version.what());
    flush_out();
    return {};
  } catch (const CLI::ParseError& error) {
    return {kUsage, usage_sentence(app, error)};
  }
  for (const CLI::App* command : app.get_subcommands()) {
    refuse_empty_names(*command);
    refuse_outputs_onto_inputs(*command);
  }
  if (!call.writes_log) message_options.log_file.clear();
  call.messages.emplace(message_options, call.argc, call.argv);
  return run_parsed(app, actions, *call.messages);
}

Outcome run_guarded(const Call& call) {
  // A reader that leaves (`| head`) must not kill a training run: writes report it instead.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run_checked(call);
  } catch (const ReaderGone&) {
    return {};
  } catch (const Error& error) {
    return {error.exit_code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {kFailed, "out of memory; use fewer dimensions, a smaller batch or less data"};
  } catch (const std::system_error& error) {
    return {kFailed, fmt::format("the system refused: {}", error.what())};
  } catch (const std::exception& error) {
    const std::string_view what = error.what();
    return {kFailed, what.starts_with("internal error")
                         ? std::string(what)
                         : fmt::format("internal error: {}; please report it", what)};
  } catch (...) {
    return {kFailed, "internal error: an unknown exception; please report it"};
  }
}

// What the first rank says is enough; the rest keeps its stderr for an error of its own.
class Silence {
 public:
  Silence() : stderr_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() { close(stderr_); }
  void end() const { dup2(stderr_, STDERR_FILENO); }

 private:
  int stderr_;
};

}  // namespace

int run_program(int argc, const char* const* argv) {
  std::optional<Messages> messages;
  const auto add_commands = [](CLI::App& app, Actions& actions) { add_all(app, actions); };
  const Outcome outcome = run_guarded({argc, argv, add_commands, messages});
  complain(outcome);
  return outcome.code;
}

int run_rank(int argc, const char* const* argv, cluster::Cluster& ranks) {
  constexpr double kPatience = 5;  // seconds in which ranks that met the same error get here
  std::optional<Silence> silence;
  if (!ranks.first()) silence.emplace();
  const auto add_commands = [&](CLI::App& app, Actions& actions) {
    app.footer("Other commands are those of evenkeel, in one process.");
    CLI::App* train = app.add_subcommand("train", "Train a model on every rank of this launch");
    actions.emplace_back(train, add_train(*train, ranks));
  };
  std::optional<Messages> messages;
  const Outcome outcome = run_guarded({argc, argv, add_commands, messages, ranks.first()});
  if (outcome.code == 0) return 0;
  if (ranks.all_leave_within(kPatience)) {
    complain(outcome);
    return outcome.code;
  }
  if (silence) silence->end();
  say("evenkeel: rank {} ends the training", ranks.rank());
  complain(outcome);
  messages.reset();  // closes the log: abort() does not come back
  ranks.abort(outcome.code);
  return outcome.code;
}

}  // namespace evenkeel::cli
