// In: a line. Out: members of the object on it, or what is wrong with it.
#include "data/json_object.h"

#include <algorithm>

namespace evenkeel::data {
namespace {

constexpr unsigned kDeepest = 64;  // lists and objects inside each other

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits from `at` on; where they end.
std::size_t behind_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// How much of the front is a JSON number; 0: none of it.
std::size_t number_size(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t end = behind_digits(text, first);
  if (end == first || (text[first] == '0' && end > first + 1)) return 0;
  if (end < text.size() && text[end] == '.') {
    const std::size_t point = end;
    end = behind_digits(text, point + 1);
    if (end == point + 1) return 0;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    end = behind_digits(text, exponent);
    if (end == exponent) return 0;
  }
  return end;
}

std::optional<std::uint32_t> four_digits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t code = 0;
  for (const char c : text.substr(0, 4)) {
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    code = code * 16 + static_cast<std::uint32_t>(digit);
  }
  return code;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80U | (code >> shift & 0x3fU)));
  };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0U | code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xe0U | code >> 12));
    tail(6), tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0U | code >> 18));
    tail(12), tail(6), tail(0);
  }
}

// \uXXXX, and a pair of them where one letter needs two; `rest` begins behind the u.
bool append_code(std::string_view& rest, std::string& out) {
  const auto first = four_digits(rest);
  if (!first) return false;
  rest.remove_prefix(4);
  std::uint32_t code = *first;
  if (code >= 0xdc00 && code < 0xe000) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (!rest.starts_with("\\u")) return false;
    const auto second = four_digits(rest.substr(2));
    if (!second || *second < 0xdc00 || *second >= 0xe000) return false;
    rest.remove_prefix(6);
    code = 0x10000 + ((code - 0xd800) << 10) + (*second - 0xdc00);
  }
  append_utf8(code, out);
  return true;
}

}  // namespace

JsonObject::JsonObject(std::string_view line) : rest_(line) {
  pass_blanks();
}

bool JsonObject::fail(std::string_view what) {
  failure_ = what;
  ended_ = true;
  return false;
}

void JsonObject::pass_blanks() {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' ||
                            rest_.front() == '\r' || rest_.front() == '\n')) {
    rest_.remove_prefix(1);
  }
}

bool JsonObject::take(char c) {
  if (!rest_.starts_with(c)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool JsonObject::next(JsonMember& member) {
  if (ended_) return false;
  if (!begun_ && !take('{')) return fail("it does not begin with {");
  pass_blanks();
  if (take('}')) {
    ended_ = true;
    pass_blanks();
    return rest_.empty() ? false : fail("something stands behind its }");
  }
  if (begun_ && !take(','))
    return fail(rest_.empty() ? "it does not end on its line" : "a comma is missing");
  begun_ = true;
  pass_blanks();
  if (rest_.empty()) return fail("it does not end on its line");
  if (!take('"')) return fail("a key is not in quotes");
  if (!text(member.key)) return false;
  pass_blanks();
  if (!take(':')) return fail("a colon is missing");
  pass_blanks();
  return value(member.value);
}

// Behind the opening quote.
bool JsonObject::text(JsonText& out) {
  out.escaped = false;
  std::size_t end = 0;
  for (;; ++end) {
    if (end >= rest_.size()) return fail("a quote is never closed");
    const char c = rest_[end];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) return fail("a text holds a control character");
    if (c == '\\') {
      out.escaped = true;
      ++end;
    }
  }
  out.raw = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  return true;
}

bool JsonObject::value(JsonValue& out) {
  const char* begin = rest_.data();
  bool good = false;
  if (rest_.empty()) return fail("it does not end on its line");
  if (take('"')) {
    out.kind = JsonValue::Kind::kText;
    good = text(out.text);
  } else if (rest_.front() == '{' || rest_.front() == '[') {
    out.kind = JsonValue::Kind::kOther;
    good = nested();
  } else if (rest_.front() == '-' || is_digit(rest_.front())) {
    good = number(out);
  } else {
    good = word(out);
  }
  out.raw = {begin, rest_.data()};
  return good;
}

bool JsonObject::number(JsonValue& out) {
  const std::size_t size = number_size(rest_);
  if (size == 0) return fail("a number is malformed");
  out.kind = JsonValue::Kind::kNumber;
  rest_.remove_prefix(size);
  return true;
}

bool JsonObject::word(JsonValue& out) {
  for (const std::string_view known : {"null", "true", "false"}) {
    if (!rest_.starts_with(known)) continue;
    out.kind = known == "null" ? JsonValue::Kind::kNull : JsonValue::Kind::kOther;
    rest_.remove_prefix(known.size());
    return true;
  }
  return fail("a value is neither text, number, true, false, null, list nor object");
}

// A list or an object, passed over.
bool JsonObject::nested() {
  std::uint64_t lists = 0;  // one bit for each level that is open, the deepest last
  unsigned depth = 0;
  do {
    if (rest_.empty()) return fail("it does not end on its line");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '"') {
      JsonText ignored;
      if (!text(ignored)) return false;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) return fail("lists and objects are nested too deeply");
      lists = lists << 1 | (c == '[' ? 1U : 0U);
    } else if (c == '}' || c == ']') {
      if ((lists & 1U) != (c == ']' ? 1U : 0U)) return fail("a bracket is closed by another");
      lists >>= 1;
      --depth;
    }
  } while (depth > 0);
  return true;
}

std::optional<std::string> unescaped(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    out.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    if (raw.size() < 2) return std::nullopt;
    const char kind = raw[1];
    raw.remove_prefix(2);
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (const std::size_t known = kLetters.find(kind); known != kLetters.npos) {
      out.push_back(kMeant[known]);
    } else if (kind != 'u' || !append_code(raw, out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace evenkeel::data
