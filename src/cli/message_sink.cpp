// In: messages. Out: bytes on stderr and in a file.
#include "cli/message_sink.h"

#include <fmt/format.h>

#include <ctime>

namespace evenkeel::cli {
namespace {

// Errors are told even to who wants no messages.
bool is_error(std::string_view text) {
  return text.starts_with("evenkeel: error: ");
}

// A whole line, and nothing that a terminal draws over itself.
bool is_line(std::string_view text) {
  return text.ends_with('\n') && text.find_first_of("\r\x1b") == text.npos;
}

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, size};
}

}  // namespace

MessageSink& message_sink() {
  static MessageSink sink;
  return sink;
}

void MessageSink::open(bool quiet, std::FILE* log) {
  const std::lock_guard lock(mutex_);
  quiet_ = quiet;
  log_ = log;
}

void MessageSink::close() {
  const std::lock_guard lock(mutex_);
  if (log_ != nullptr) std::fclose(log_);
  log_ = nullptr;
}

void MessageSink::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (!quiet_ || is_error(text)) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  }
  if (log_ == nullptr || !is_line(text)) return;
  const std::string line = fmt::format("{} {}", time_text(), text);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), log_));
  std::fflush(log_);
}

}  // namespace evenkeel::cli
