// Options by name. A list of Field says name, default, range and help once; from it come parsing,
// checking, --help, `evenkeel list` and the resolved config.toml.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/function_ref.h"

namespace evenkeel {

using Value = std::variant<bool, std::int64_t, double, std::string>;

std::string to_text(const Value& value);  // as TOML writes it

// What an option decides; a resumed run may change all but kResult and kSeed.
enum class Effect {
  kResult,    // what is computed
  kStopping,  // for how long training goes on
  kSeed,      // the draws alone
  kSpeed,     // the time alone
  kLabel,     // what people call the run
};

struct Field {
  std::string_view name;  // "margin-strength": the option --margin-strength and the TOML key
  Value default_value;    // its type is the option's type
  std::string_view help;  // one line, no full stop
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> choices = {};  // for text options with fixed words
  // What the record of a run means that lacks the option, because it is older; without it such a
  // record is damaged.
  std::optional<Value> before = {};
  Effect effect = Effect::kResult;
  bool extractor_sees = true;  // whether the popularity bias extractor depends on it
};

Field with_effect(Field field, Effect effect);
Field unseen_by_extractor(Field field);

// What the user set, checked against the fields; everything else is the default.
class Settings {
 public:
  Settings() = default;
  explicit Settings(std::span<const Field> fields) { add(fields); }

  // The same name may come from several lists (two losses share `tau`) if the field is the same.
  void add(std::span<const Field> fields);

  // Parses and checks; `where` names the source in errors ("--tau", "run.toml:3"). Throws a config
  // error that names the key, the value and what is allowed; an unknown key names its nearest
  // match.
  void set(std::string_view name, std::string_view text, std::string_view where = "");
  void set(std::string_view name, const Value& value, std::string_view where = "");
  void load_toml(const std::string& path);

  bool has(std::string_view name) const { return fields_.contains(name); }
  bool is_set(std::string_view name) const { return values_.contains(name); }
  const Value& value(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  const Field& field(std::string_view name) const;
  std::vector<const Field*> fields() const;  // in the order they were added
  std::string to_toml() const;               // every field, resolved
  std::string to_toml(FunctionRef<bool(const Field&)> wanted) const;

 private:
  std::map<std::string, Field, std::less<>> fields_;
  std::vector<std::string> order_;
  std::map<std::string, Value, std::less<>> values_;
};

// The candidate nearest to `word` by edit distance, for "did you mean".
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// "unknown loss 'sofmax'; did you mean 'softmax'? (bc, bpr, ...)": the one sentence for all tables.
std::string unknown_name(std::string_view kind, std::string_view word,
                         std::span<const std::string_view> candidates);

}  // namespace evenkeel
