// In: nothing. Out: the fields of reading and splitting; and from set fields, ReadOptions.
#include "data/options.h"

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

Field validation_field() {
  return {"validation", 0.1, "share of train held out where there is no validation part", 0.0, 0.9};
}

ReadOptions read_options(const Settings& settings) {
  ReadOptions options;
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
