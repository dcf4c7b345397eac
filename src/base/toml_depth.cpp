// In: text that may be TOML. Out: the first line that goes too deep.
#include "base/toml_depth.h"

#include <algorithm>

namespace evenkeel {
namespace {

// The end of the string that opens at `at`; an open end is the end of the line, or of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view three = text.substr(at, 3);
  const bool long_form = three.size() == 3 && three[1] == quote && three[2] == quote;
  for (std::size_t k = at + (long_form ? 3 : 1); k < text.size(); ++k) {
    if (text[k] == '\\' && quote == '"') {
      ++k;
    } else if (text[k] == '\n' && !long_form) {
      return k - 1;
    } else if (text[k] == quote && !long_form) {
      return k;
    } else if (long_form && text.substr(k, 3) == three) {
      k += 2;  // up to two more quotes belong to the string
      for (int more = 0; more < 2 && k + 1 < text.size() && text[k + 1] == quote; ++more) ++k;
      return k;
    }
  }
  return text.size();
}

}  // namespace

std::size_t line_nested_deeper(std::string_view text, std::size_t most) {
  std::size_t line = 1, open = 0, dots = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, k);
      const auto inside = text.substr(k, end - k);
      line += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
      k = end;
      continue;
    }
    if (c == '#') {
      k = std::min(text.find('\n', k), text.size()) - 1;
      continue;
    }
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (c == '\n') ++line;
    dots = c == '.' ? dots + 1 : std::string_view("\n=,[]{}").find(c) != text.npos ? 0 : dots;
    if (open > most || dots > most) return line;
  }
  return 0;
}

}  // namespace evenkeel
