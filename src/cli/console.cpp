// In: text for people and programs. Out: bytes on stdout and stderr, failures noticed.
#include "cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "cli/message_sink.h"
#include "io/json_text.h"

namespace evenkeel::cli {
namespace {

[[noreturn]] void fail_stdout() {
  const int reason = errno;
  if (reason == EPIPE) throw ReaderGone();
  fail_run("cannot write to the standard output: {}; free some space or send it elsewhere",
           std::strerror(reason));
}

}  // namespace

void write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_stdout();
}

void write_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    write_out(printable(text.substr(0, end)) + "\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void flush_out() {
  if (std::fflush(stdout) != 0) fail_stdout();
}

void write_message(std::string_view text) {
  message_sink().write(text);
}

bool stderr_is_terminal() {
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDERR_FILENO) == 1;
}

std::string json_text(const nlohmann::json& value, int indent) {
  return io::dump_json(value, indent);
}

double shortest(float score) {
  return std::strtod(fmt::format("{}", score).c_str(), nullptr);
}

}  // namespace evenkeel::cli
