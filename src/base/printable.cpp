// In: bytes. Out: text without control characters.
#include "base/printable.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>

namespace evenkeel {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

struct Character {
  std::size_t bytes = 0;  // 0: no UTF-8 starts here
  std::uint32_t code = 0;
};

// Shortest forms only, no surrogates: what a terminal takes for one character.
Character first_character(std::string_view text) {
  const std::uint32_t lead = byte_at(text, 0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    const std::uint32_t byte = byte_at(text, k);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6 | (byte & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[bytes] || code > 0x10FFFF || surrogate) return {};
  return {bytes, code};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

std::string without_controls(std::string_view text, bool double_backslash) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    const std::uint32_t code = character.bytes == 0 ? byte_at(text, 0) : character.code;
    if (code == '\t') {
      out += "\\t";
    } else if (code == '\n') {
      out += "\\n";
    } else if (code == '\\' && double_backslash) {
      out += "\\\\";
    } else if (is_control(code)) {
      for (std::size_t k = 0; k < bytes; ++k) out += fmt::format("\\x{:02x}", byte_at(text, k));
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return without_controls(text, false);
}

std::string escaped(std::string_view text) {
  return without_controls(text, true);
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string slug(std::string_view words) {
  std::string text;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '.' || c == '_') {
      text += static_cast<char>(std::tolower(byte));
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  while (text.ends_with('-')) text.pop_back();
  return text.empty() || text.starts_with('.') ? "x" + text : text;
}

}  // namespace evenkeel
