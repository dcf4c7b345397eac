// In: text for people and programs. Out: bytes on stdout and stderr, failures noticed.
#include "cli/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"

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

void flush_out() {
  if (std::fflush(stdout) != 0) fail_stdout();
}

void write_message(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

bool stderr_is_terminal() {
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDERR_FILENO) == 1;
}

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

double shortest(float score) {
  return std::strtod(fmt::format("{}", score).c_str(), nullptr);
}

std::string tsv_text(std::string_view id) {
  std::string text;
  for (const char c : id) {
    if (c == '\\') {
      text += "\\\\";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\n') {
      text += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += fmt::format("\\x{:02x}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace evenkeel::cli
