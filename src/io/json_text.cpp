// In: text. Out: a JSON value of bounded depth.
#include "io/json_text.h"

#include "base/regular_file.h"

namespace evenkeel::io {
namespace {

// Before parsing, and not in a callback of the parser: with one it looks through the parent at the
// end of every object, which takes quadratic time.
bool nested_deeper(std::string_view text, std::size_t most) {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && c == '\\') {
      ++k;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++open > most) return true;
    } else if (!quoted && (c == ']' || c == '}') && open > 0) {
      --open;
    }
  }
  return false;
}

// DEL and the controls U+0080 to U+009F as \uXXXX: JSON allows them raw, but a terminal obeys them.
std::string with_escaped_controls(std::string text) {
  const auto is_control = [&](std::size_t k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte == 0x7f) return true;
    return byte == 0xc2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xa0;
  };
  std::size_t k = 0;
  while (k < text.size() && !is_control(k)) ++k;
  if (k == text.size()) return text;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = text.substr(0, k);
  for (; k < text.size(); ++k) {
    if (!is_control(k)) {
      out.push_back(text[k]);
      continue;
    }
    const bool two = text[k] != '\x7f';
    if (two) ++k;
    const auto code = static_cast<unsigned char>(text[k]);
    out += {'\\', 'u', '0', '0', kDigits[code >> 4], kDigits[code & 15U]};
  }
  return out;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, std::size_t most_levels) {
  if (nested_deeper(text, most_levels)) return nlohmann::json(nlohmann::json::value_t::discarded);
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::json read_json_file(const std::string& path) {
  try {
    return parse_json(read_regular_file(path));
  } catch (const Error&) {
    return nlohmann::json(nlohmann::json::value_t::discarded);
  }
}

std::string dump_json(const nlohmann::json& value, int indent) {
  return with_escaped_controls(
      value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace evenkeel::io
