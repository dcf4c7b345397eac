// In: options. Out: messages where they are wanted.
#include "cli/messages.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/seconds.h"
#include "base/threads.h"
#include "cli/console.h"
#include "cli/message_sink.h"
#include "cli/table.h"
#include "train/run_result.h"

namespace evenkeel::cli {

void MessageOptions::add_to(CLI::App& app) {
  if (app.get_option_no_throw("--quiet") == nullptr) {
    app.add_flag("--quiet", quiet, "no messages but errors")->group("Messages");
  }
  app.add_flag("--verbose", verbose, "also what the command took: time and memory")
      ->group("Messages");
  app.add_option("--log-file", log_file, "file to add the messages to, each with its time (UTC)")
      ->group("Messages")
      ->type_name("FILE");
}

Messages::Messages(const MessageOptions& options, int argc, const char* const* argv)
    : verbose_(options.verbose) {
  std::FILE* log = nullptr;
  if (!options.log_file.empty()) {
    log = std::fopen(options.log_file.c_str(), "ae");
    if (log == nullptr) {
      fail_config("--log-file is {}, which cannot be written ({}); give another", options.log_file,
                  std::strerror(errno));
    }
  }
  message_sink().open(options.quiet, log);
  if (!verbose_) return;
  std::string words;
  for (int n = 1; n < argc; ++n) words += std::string(" ") + argv[n];
  say("evenkeel {} on {} cores:{}", EVENKEEL_VERSION, available_cores(), words);
}

Messages::~Messages() {
  message_sink().close();
}

void Messages::done(int exit_code) const {
  if (!verbose_) return;
  const double seconds = seconds_since(start_);
  say("evenkeel: {}, {} MB of memory at most, exit code {}", duration_text(seconds),
      train::peak_memory() >> 20, exit_code);
}

}  // namespace evenkeel::cli
