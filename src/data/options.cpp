// In: nothing. Out: the fields of reading and splitting; and from set fields, ReadOptions.
#include "data/options.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "data/reader.h"
#include "data/split.h"

namespace evenkeel::data {

namespace {

Field text_field(std::string_view name, const char* value, std::string_view help,
                 std::vector<std::string_view> choices = {}) {
  Field field;
  field.name = name;
  field.default_value = std::string(value);
  field.help = help;
  field.choices = std::move(choices);
  return field;
}

Field count_field(std::string_view name, std::int64_t value, std::string_view help) {
  Field field;
  field.name = name;
  field.default_value = value;
  field.help = help;
  field.min = 0;
  return field;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names{"auto"};
  for (const Reader& reader : readers()) names.push_back(reader.name);
  return names;
}

std::vector<std::string_view> protocol_names() {
  std::vector<std::string_view> names;
  for (const SplitProtocol& protocol : split_protocols()) names.push_back(protocol.name);
  return names;
}

}  // namespace

std::span<const Field> data_fields() {
  static const std::vector<Field> fields{
      text_field("format", "auto", "how the interactions file is written", format_names()),
      text_field("user-column", "", "the user's column, by name or index from 0 (empty: found)"),
      text_field("item-column", "", "the item's column, by name or index from 0 (empty: found)"),
      text_field("rating-column", "", "the rating's column, by name or index (empty: found)"),
      text_field("time-column", "", "the time's column, by name or index (empty: found)"),
      text_field("min-rating", "", "keep rows with at least this rating (empty: keep all)"),
      text_field("separator", "auto", "auto, comma, tab, space, pipe, semicolon or the characters"),
      text_field("header", "auto", "whether the first line names the columns",
                 {"auto", "yes", "no"}),
      text_field("on-bad-row", "error", "what to do with a row that cannot be read",
                 {"error", "skip"}),
      count_field("k-core", 0,
                  "keep users and items with at least this many interactions (0: all)"),
      text_field("split", "random", "how a single file is cut into train, validation and test",
                 protocol_names()),
      with_effect(count_field("seed", 1, "random seed"), Effect::kSeed),
  };
  return fields;
}

std::span<const Field> reading_fields() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> reading(data_fields().begin(), data_fields().end());
    std::erase_if(reading, [](const Field& field) {
      return field.name == "split" || field.name == "k-core" || field.name == "seed";
    });
    return reading;
  }();
  return fields;
}

std::span<const Field> weight_fields() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> weights{
        text_field("weight-column", "",
                   "a column of how much each row counts (count, dwell time, strength), by name or "
                   "index: pairs are drawn as often; repeated rows add up (empty: all alike)"),
        text_field("half-life", "",
                   "a row counts half as much when it is so much older than the newest: 30d, 12h, "
                   "2w, or a number in the unit of the times (empty: age does not count)")};
    for (Field& field : weights) field.before = std::string();
    return weights;
  }();
  return fields;
}

Field candidates_field() {
  Field field = text_field("candidates", "all",
                           "items that a test ranks: all, or test, only those that occur in the "
                           "test (a fully observed block, as in KuaiRec)",
                           {"all", "test"});
  field.before = std::string("all");
  field.extractor_sees = false;
  return field;
}

Field validation_field() {
  return {"validation", 0.1,
          "share held out for validation where there is no validation part: of the log with "
          "--split random, else of train",
          0.0, 0.9};
}

HalfLife parse_half_life(std::string_view text) {
  constexpr std::array<std::pair<char, double>, 5> kUnits{
      {{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}, {'d', 86400.0}, {'w', 604800.0}}};
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  HalfLife half{number, false};
  bool known = stop == end;
  for (const auto& [letter, seconds] : kUnits) {
    if (stop + 1 != end || *stop != letter) continue;
    half = {number * seconds, true};
    known = true;
  }
  if (failure != std::errc() || !known || !std::isfinite(half.length) || half.length <= 0) {
    fail_config(
        "--half-life is '{}'; give a time above 0 such as 30d, 12h or 2w, or a number in the unit "
        "of the times",
        text);
  }
  return half;
}

bool weighs_rows(const Settings& settings) {
  for (const Field& field : weight_fields()) {
    if (settings.has(field.name) && !settings.text(field.name).empty()) return true;
  }
  return false;
}

ReadOptions read_options(const Settings& settings) {
  ReadOptions options;
  if (weighs_rows(settings)) {
    options.weight_column = settings.text("weight-column");
    const std::string& half_life = settings.text("half-life");
    if (!half_life.empty()) {
      options.half_life = parse_half_life(half_life);
      options.times = Times::kRequired;
    }
  }
  options.format = settings.text("format");
  options.user_column = settings.text("user-column");
  options.item_column = settings.text("item-column");
  options.rating_column = settings.text("rating-column");
  options.time_column = settings.text("time-column");
  options.separator = settings.text("separator");
  options.header = settings.text("header");
  options.skip_bad_rows = settings.text("on-bad-row") == "skip";
  const std::string& threshold = settings.text("min-rating");
  if (!threshold.empty()) {
    double number = 0;
    const char* end = threshold.data() + threshold.size();
    const auto [stop, failure] = std::from_chars(threshold.data(), end, number);
    if (failure != std::errc() || stop != end || !std::isfinite(number)) {
      fail_config("--min-rating is '{}'; give a number", threshold);
    }
    options.min_rating = number;
  }
  return options;
}

}  // namespace evenkeel::data
