// In: a line. Out: the same, over the one before.
#include "cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/console.h"
#include "cli/table.h"

namespace evenkeel::cli {
namespace {

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

StatusLine::StatusLine() : color_(std::getenv("NO_COLOR") == nullptr) {}

void StatusLine::draw(const std::string& line) {
  const std::string text = clipped(printable(line), terminal_columns() - 1);
  constexpr std::string_view kCyan = "\x1b[36m", kPlain = "\x1b[0m";
  write_message(fmt::format("\r\x1b[2K{}{}{}", color_ ? kCyan : "", text, color_ ? kPlain : ""));
  drawn_ = true;
}

void StatusLine::erase() {
  if (drawn_) write_message("\r\x1b[2K");
  drawn_ = false;
}

}  // namespace evenkeel::cli
