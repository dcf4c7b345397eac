// Errors: what the caller must fix leaves as one sentence (where, what, remedy) and an exit code,
// in the public Error. Invariants that no input can break are checked with EVENKEEL_CHECK and say
// "internal error".
#pragma once

#include <fmt/format.h>

#include <utility>

#include "evenkeel/error.h"

namespace evenkeel {

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
