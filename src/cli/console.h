// The two ways out of the program: data to stdout, messages to stderr.
// In: text. Out: the text, or a clear end when the reader is gone or the disk is full.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace evenkeel::cli {

struct ReaderGone {};  // stdout is a closed pipe (`evenkeel ... | head`): the command ends quietly

void write_out(std::string_view text);    // throws ReaderGone, or a run error when the disk is full
void write_lines(std::string_view text);  // a page with names of strangers: each line printable
void flush_out();                         // the same errors, for what was still buffered
void write_message(std::string_view text);  // to stderr, as it is; never fails
bool stderr_is_terminal();

// Ids may be any bytes: what is not UTF-8 becomes the replacement character.
std::string json_text(const nlohmann::json& value, int indent = -1);
double shortest(float score);  // the double that prints as shortly as the float does
inline std::string tsv_text(std::string_view id) {
  return escaped(id);
}

template <typename... Args>
void out(fmt::format_string<Args...> text, Args&&... args) {
  write_out(fmt::format(text, std::forward<Args>(args)...));
}

// A message is one line on stderr, whatever bytes are in the names it tells of.
template <typename... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  write_message(printable(fmt::format(text, std::forward<Args>(args)...)) + "\n");
}

}  // namespace evenkeel::cli
