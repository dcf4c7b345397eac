// In: fields and the user's words for them. Out: checked values, or a sentence about the wrong one.
#include "base/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/toml_value.h"

namespace evenkeel {
namespace {

std::string shown(const Field& field, std::string_view where) {
  return where.empty() ? fmt::format("--{}", field.name) : std::string(where);
}

std::string range_text(const Field& field) {
  const bool low = std::isfinite(field.min), high = std::isfinite(field.max);
  if (low && high) return fmt::format("from {} to {}", field.min, field.max);
  if (low) return fmt::format("at least {}", field.min);
  if (high) return fmt::format("at most {}", field.max);
  return "any number";
}

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size();
}

Value parse(const Field& field, std::string_view text, std::string_view where) {
  if (std::holds_alternative<std::string>(field.default_value)) return std::string(text);
  if (std::holds_alternative<bool>(field.default_value)) {
    if (text == "true" || text == "1" || text == "yes") return true;
    if (text == "false" || text == "0" || text == "no") return false;
    fail_config("{} is '{}'; give true or false", shown(field, where), text);
  }
  if (std::holds_alternative<std::int64_t>(field.default_value)) {
    std::int64_t integer = 0;
    if (parse_number(text, integer)) return integer;
    double number = 0;  // 1e6 is a fine way to write a count
    if (parse_number(text, number) && std::abs(number) < 9e15 && number == std::floor(number)) {
      return static_cast<std::int64_t>(number);
    }
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) {
      using Limits = std::numeric_limits<std::int64_t>;
      const auto whole = [](double end, std::int64_t otherwise) {
        return std::isfinite(end) ? static_cast<std::int64_t>(end) : otherwise;
      };
      fail_config("{} is {}; give a whole number from {} to {}", shown(field, where), text,
                  whole(field.min, Limits::min()), whole(field.max, Limits::max()));
    }
    fail_config("{} is '{}'; give a whole number, {}", shown(field, where), text,
                range_text(field));
  }
  double number = 0;
  if (parse_number(text, number) && std::isfinite(number)) return number;
  fail_config("{} is '{}'; give a number, {}", shown(field, where), text, range_text(field));
}

void check(const Field& field, const Value& value, std::string_view where) {
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (field.choices.empty()) return;
    const bool known =
        std::find(field.choices.begin(), field.choices.end(), *text) != field.choices.end();
    if (!known) fail_config("{}", unknown_name(shown(field, where), *text, field.choices));
    return;
  } else {
    return;
  }
  if (!(number >= field.min && number <= field.max)) {
    fail_config("{} is {}; give {}", shown(field, where), to_text(value), range_text(field));
  }
}

// Letters added, left out, changed, or two in each other's place.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] != b[j - 1] ? 1U : 0U);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<int>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) {
    std::string text = fmt::format("{}", *number);
    if (text.find_first_of(".einf") == std::string::npos) text += ".0";
    return text;
  }
  return quoted(std::get<std::string>(value));
}

Field with_effect(Field field, Effect effect) {
  field.effect = effect;
  return field;
}

Field unseen_by_extractor(Field field) {
  field.extractor_sees = false;
  return field;
}

void Settings::add(std::span<const Field> fields) {
  for (const Field& field : fields) {
    const auto known = fields_.find(field.name);
    if (known != fields_.end()) {
      EVENKEEL_CHECK(known->second.default_value == field.default_value);
      continue;
    }
    fields_.emplace(field.name, field);
    order_.emplace_back(field.name);
  }
}

const Field& Settings::field(std::string_view name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end()) {
    std::vector<std::string_view> names(order_.begin(), order_.end());
    fail_config("{}", unknown_name("option", name, names));
  }
  return found->second;
}

void Settings::set(std::string_view name, std::string_view text, std::string_view where) {
  const Field& known = field(name);
  set(name, parse(known, text, where), where);
}

void Settings::set(std::string_view name, const Value& value, std::string_view where) {
  const Field& known = field(name);
  Value converted = value;
  const bool wants_number = std::holds_alternative<double>(known.default_value);
  if (const auto* integer = std::get_if<std::int64_t>(&value); integer != nullptr && wants_number) {
    converted = static_cast<double>(*integer);
  }
  // `negatives = 64` is text on the inside ("64", "in-batch", "all"): accept the bare number.
  if (std::holds_alternative<std::string>(known.default_value) &&
      !std::holds_alternative<std::string>(value)) {
    converted = to_text(value);
  }
  if (converted.index() != known.default_value.index()) {
    fail_config("{} is {}; give a value like {}", shown(known, where), to_text(value),
                to_text(known.default_value));
  }
  check(known, converted, where);
  values_.insert_or_assign(std::string(name), std::move(converted));
}

void Settings::load_toml(const std::string& path) {
  const toml::table table = parse_toml(path);
  for (const auto& [key, node] : table) set_from_toml(*this, path, key.str(), node);
}

const Value& Settings::value(std::string_view name) const {
  const auto set_value = values_.find(name);
  return set_value != values_.end() ? set_value->second : field(name).default_value;
}
bool Settings::flag(std::string_view name) const {
  return std::get<bool>(value(name));
}
std::int64_t Settings::integer(std::string_view name) const {
  return std::get<std::int64_t>(value(name));
}
double Settings::number(std::string_view name) const {
  return std::get<double>(value(name));
}
const std::string& Settings::text(std::string_view name) const {
  return std::get<std::string>(value(name));
}

std::vector<const Field*> Settings::fields() const {
  std::vector<const Field*> list;
  for (const std::string& name : order_) list.push_back(&fields_.find(name)->second);
  return list;
}

std::string Settings::to_toml() const {
  const auto every = [](const Field&) { return true; };
  return to_toml(every);
}

std::string Settings::to_toml(FunctionRef<bool(const Field&)> wanted) const {
  std::string out;
  for (const Field* field : fields()) {
    if (!wanted(*field)) continue;
    out += fmt::format("{} = {}\n", field->name, to_text(value(field->name)));
  }
  return out;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word.substr(0, 64), candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  // One slip in a short word, some in a long one; anything further was meant to be something else.
  const std::size_t size = std::min<std::size_t>(word.size(), 64);
  const std::size_t slips = size < 5 ? 1 : size < 9 ? 2 : 3;
  return best_distance <= slips && best_distance < size ? best : std::string_view();
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  if (best.empty()) {
    return fmt::format("{} '{}' is unknown; known: {}", kind, word, fmt::join(candidates, ", "));
  }
  return fmt::format("{} '{}' is unknown; did you mean '{}'? (known: {})", kind, word, best,
                     fmt::join(candidates, ", "));
}

}  // namespace evenkeel
