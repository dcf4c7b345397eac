// One JSON object, member by member, without building it. In: a line; out: views of its keys and
// values. Only what a reader asks for is looked at closely; the rest is passed over, brackets and
// quotes matched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace evenkeel::data {

struct JsonText {
  std::string_view raw;  // between its quotes
  bool escaped = false;  // it holds a backslash: unescaped() resolves it
};

struct JsonValue {
  enum class Kind { kText, kNumber, kNull, kOther };  // other: true, false, a list, an object
  Kind kind = Kind::kOther;
  JsonText text;         // of a text
  std::string_view raw;  // as it is written, quotes included
};

struct JsonMember {
  JsonText key;
  JsonValue value;
};

class JsonObject {
 public:
  explicit JsonObject(std::string_view line);

  bool next(JsonMember& member);                         // false at the end, and where it breaks
  std::string_view failure() const { return failure_; }  // empty: nothing is wrong so far

 private:
  bool fail(std::string_view what);
  void pass_blanks();
  bool take(char c);
  bool text(JsonText& out);
  bool value(JsonValue& out);
  bool number(JsonValue& out);
  bool word(JsonValue& out);
  bool nested();

  std::string_view rest_;
  std::string_view failure_;
  bool begun_ = false, ended_ = false;
};

// The text without its escapes; nothing where one is broken (a lone surrogate, \q).
std::optional<std::string> unescaped(std::string_view raw);

}  // namespace evenkeel::data
