// Work that Ctrl-C may end. In: a progress display and the work; out: the work's exit code, or that
// of an interruption after a sentence on how to go on.
#pragma once

#include <string_view>

#include "base/error.h"
#include "cli/console.h"

namespace evenkeel::cli {

// The work ends the display itself before it prints; here it ends when the work throws.
template <typename Display, typename Work>
int interruptible(Display& progress, std::string_view how_to_go_on, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    progress.finish();
    if (error.kind() != ErrorKind::kInterrupted) throw;
    say("evenkeel: {}", error.what());
    say("evenkeel: {}", how_to_go_on);
    return error.exit_code();
  }
}

}  // namespace evenkeel::cli
