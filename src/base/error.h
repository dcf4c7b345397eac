// Errors: what the caller must fix leaves as one sentence (where, what, remedy) and an exit code.
// Invariants that no input can break are checked with EVENKEEL_CHECK and say "internal error".
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace evenkeel {

enum class ErrorKind { kRun = 1, kConfig = 2, kData = 3, kInterrupted = 4 };  // = exit codes

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

// The run cannot go on: disk full, folder not writable, training diverged.
template <typename... Args>
[[noreturn]] void fail_run(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::kRun, fmt::format(text, std::forward<Args>(args)...));
}

// An option, key or name is wrong.
template <typename... Args>
[[noreturn]] void fail_config(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::kConfig, fmt::format(text, std::forward<Args>(args)...));
}

// A file's content is wrong.
template <typename... Args>
[[noreturn]] void fail_data(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::kData, fmt::format(text, std::forward<Args>(args)...));
}

[[noreturn]] void fail_internal(const char* condition, const char* file, int line);

#define EVENKEEL_CHECK(condition)                                                \
  do {                                                                           \
    if (!(condition)) ::evenkeel::fail_internal(#condition, __FILE__, __LINE__); \
  } while (false)

}  // namespace evenkeel
