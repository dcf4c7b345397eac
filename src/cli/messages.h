// Where messages go. In: --quiet, --verbose and --log-file of any command; out: stderr, a file, or
// both; with --verbose, what the command took.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <string>

namespace evenkeel::cli {

struct MessageOptions {
  bool quiet = false, verbose = false;
  std::string log_file;
  // A command that has a --quiet of its own keeps it.
  void add_to(CLI::App& app);
};

// While it lives, messages go where the options say. A log file is added to, each line with the
// time; what is drawn over itself on a terminal is not written to it.
class Messages {
 public:
  Messages(const MessageOptions& options, int argc, const char* const* argv);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  void done(int exit_code) const;  // with --verbose: time and memory

 private:
  bool verbose_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace evenkeel::cli
