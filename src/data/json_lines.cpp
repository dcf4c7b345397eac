// In: lines with an object each. Out: pairs and times; the rows that cannot be read, with reasons.
#include "data/json_lines.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "data/chunks.h"
#include "data/column_names.h"
#include "data/fields.h"
#include "data/json_object.h"
#include "data/numbers.h"
#include "data/row_slot.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kJsonSampleLines = 200, kJsonSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kMostKeys = 1000;

constexpr std::array<std::string_view, kRowSlots> kSlotNames{"user", "item", "rating", "time",
                                                             "weight"};

// The key of each slot; empty where there is none.
struct SlotKeys {
  std::array<std::string, kRowSlots> names;
  bool rating_read = false, time_read = false;
  bool read(std::size_t slot) const {
    if (slot == kWeight) return !names[kWeight].empty();
    return slot == kRating ? rating_read : slot == kTime ? time_read : true;
  }
};

std::string key_text(const JsonText& key) {
  return key.escaped ? unescaped(key.raw).value_or(std::string(key.raw)) : std::string(key.raw);
}

std::string_view first_line(const TextFile& file) {
  LineCursor lines(file.text());
  std::string_view line;
  while (lines.next(line)) {
    if (!trimmed(line).empty()) return trimmed(line);
  }
  return {};
}

bool whole_object(std::string_view line) {
  JsonObject object(line);
  JsonMember member;
  while (object.next(member)) {
  }
  return object.failure().empty();
}

// The keys of the first objects, in order of appearance.
std::vector<std::string> sample_keys(const TextFile& file) {
  std::vector<std::string> keys;
  LineCursor lines(file.text().substr(0, kJsonSampleBytes));
  std::string_view line;
  for (std::size_t n = 0; n < kJsonSampleLines && lines.next(line); ++n) {
    JsonObject object(line);
    JsonMember member;
    while (keys.size() < kMostKeys && object.next(member)) {
      std::string key = key_text(member.key);
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
  }
  return keys;
}

std::string shown(const std::vector<std::string>& keys) {
  std::vector<std::string> parts;
  parts.reserve(keys.size());
  for (const std::string& key : keys) parts.push_back(excerpt(key));
  if (parts.size() > 20) {
    parts.resize(20);
    parts.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The key that was asked for, or one whose name says what it is.
std::string chosen_key(const TextFile& file, const std::vector<std::string>& keys,
                       const std::string& asked, std::size_t slot, ColumnKind kind) {
  if (asked.empty()) {
    const auto known = known_column(keys, kind);
    return known ? keys[*known] : std::string();
  }
  for (const std::string& key : keys) {
    if (key == asked) return key;
  }
  for (const std::string& key : keys) {
    if (!plain_name(asked).empty() && plain_name(key) == plain_name(asked)) return key;
  }
  fail_data("{}: no key '{}' for --{}-column; the keys are {}", file.path(), excerpt(asked),
            kSlotNames[slot], shown(keys));
}

SlotKeys choose_keys(const TextFile& file, const ReadOptions& options) {
  const std::vector<std::string> all = sample_keys(file);
  SlotKeys keys;
  keys.names = {chosen_key(file, all, options.user_column, kUser, ColumnKind::kUser),
                chosen_key(file, all, options.item_column, kItem, ColumnKind::kItem),
                chosen_key(file, all, options.rating_column, kRating, ColumnKind::kRating),
                chosen_key(file, all, options.time_column, kTime, ColumnKind::kTime), ""};
  if (!options.weight_column.empty()) {
    keys.names[kWeight] =
        chosen_key(file, all, options.weight_column, kWeight, ColumnKind::kRating);
  }
  keys.rating_read = options.min_rating.has_value();
  keys.time_read = options.times == Times::kRequired ||
                   (options.times == Times::kIfPresent && !keys.names[kTime].empty());
  for (std::size_t slot = 0; slot < kRowSlots; ++slot) {
    if (!keys.read(slot) || !keys.names[slot].empty()) continue;
    fail_data("{}: no {} key found; the keys are {}; say which with --{}-column", file.path(),
              kSlotNames[slot], shown(all), kSlotNames[slot]);
  }
  for (std::size_t a = 0; a < kRowSlots; ++a) {
    for (std::size_t b = a + 1; b < kRowSlots; ++b) {
      if (keys.names[a].empty() || keys.names[a] != keys.names[b]) continue;
      if (a == kRating && b == kWeight) continue;  // ratings may be the weights, too
      fail_config("{}: {} and {} are both key '{}'; set --{}-column and --{}-column apart",
                  file.path(), kSlotNames[a], kSlotNames[b], excerpt(keys.names[a]), kSlotNames[a],
                  kSlotNames[b]);
    }
  }
  return keys;
}

class ObjectParser {
 public:
  ObjectParser(const SlotKeys& keys, const ReadOptions& options, ParsedChunk& chunk)
      : keys_(keys), options_(options), chunk_(chunk) {}

  void parse(LineCursor& lines) {
    std::string_view line;
    while (lines.next(line)) {
      if (trimmed(line).empty()) continue;
      std::string reason;
      if (!row(line, reason) && !reason.empty() && !chunk_.bad_row(lines.taken(), reason)) break;
    }
  }

 private:
  // The values of the wanted keys; of a key that is there twice, the last one.
  bool members(std::string_view line, std::string& reason) {
    found_ = {};
    JsonObject object(line);
    JsonMember member;
    while (object.next(member)) {
      for (std::size_t slot = 0; slot < kRowSlots; ++slot) {
        if (keys_.names[slot].empty() || !keys_.read(slot)) continue;
        const bool same = member.key.escaped ? key_text(member.key) == keys_.names[slot]
                                             : member.key.raw == keys_.names[slot];
        if (same) found_[slot] = member.value;
      }
    }
    if (object.failure().empty()) return true;
    reason = fmt::format("no JSON object, for {}, in '{}'; write one object on each line",
                         object.failure(), excerpt(line));
    return false;
  }

  bool row(std::string_view line, std::string& reason) {
    std::string_view user, item;
    if (!members(line, reason) || !id(kUser, line, user, reason) ||
        !id(kItem, line, item, reason)) {
      return false;
    }
    std::optional<double> time, weight;
    if (keys_.rating_read) {
      const auto rating = number(kRating, parse_finite);
      if (!rating) return not_a(kRating, "is not a finite number", line, reason);
      if (*rating < *options_.min_rating) {
        chunk_.add_seen(user, item);
        return false;
      }
    }
    if (keys_.read(kWeight)) {
      weight = number(kWeight, parse_weight);
      if (!weight) return not_a(kWeight, "is not a number from 0 to 1e12", line, reason);
    }
    if (keys_.time_read) {
      time = number(kTime, parse_time);
      if (!time) return not_a(kTime, "is neither a finite number nor an ISO date", line, reason);
      chunk_.times.push_back(*time);
    }
    if (weight) chunk_.weights.push_back(static_cast<float>(*weight));
    chunk_.add(user, item);
    return true;
  }

  // A text, or a whole number as it is written.
  bool id(std::size_t slot, std::string_view line, std::string_view& out, std::string& reason) {
    const auto& value = found_[slot];
    if (!value || value->kind == JsonValue::Kind::kNull) {
      reason = fmt::format("no '{}' (the {}) in '{}'; give it one", excerpt(keys_.names[slot]),
                           kSlotNames[slot], excerpt(line));
      return false;
    }
    out = value->raw;
    if (value->kind == JsonValue::Kind::kText) {
      if (!text(*value, out)) return not_a(slot, "holds a broken escape", line, reason);
    } else if (value->kind != JsonValue::Kind::kNumber ||
               out.find_first_of(".eE") != std::string_view::npos) {
      return not_a(slot, "is neither text nor a whole number", line, reason);
    }
    if (out.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
      return not_a(slot, "holds a line end or a NUL, which no id may", line, reason);
    }
    if (trimmed(out).empty()) {
      reason = fmt::format("empty {} id in '{}'; give it one", kSlotNames[slot],
                           excerpt(keys_.names[slot]));
      return false;
    }
    return true;
  }

  // The text as a view that lives with the chunk.
  bool text(const JsonValue& value, std::string_view& out) {
    out = value.text.raw;
    if (!value.text.escaped) return true;
    const auto plain = unescaped(out);
    if (plain) out = chunk_.keep(*plain);
    return plain.has_value();
  }

  template <typename Parse>
  std::optional<double> number(std::size_t slot, Parse parse) {
    const auto& value = found_[slot];
    if (!value) return std::nullopt;
    if (value->kind == JsonValue::Kind::kNumber) return parse(value->raw);
    std::string_view plain;
    if (value->kind != JsonValue::Kind::kText || !text(*value, plain)) return std::nullopt;
    return parse(plain);
  }

  bool not_a(std::size_t slot, std::string_view what, std::string_view line,
             std::string& reason) const {
    const std::string key = excerpt(keys_.names[slot]);
    reason = found_[slot] ? fmt::format("{} {} of '{}' {}; mend it", kSlotNames[slot],
                                        excerpt(found_[slot]->raw), key, what)
                          : fmt::format("no '{}' (the {}) in '{}'; give it one", key,
                                        kSlotNames[slot], excerpt(line));
    return false;
  }

  const SlotKeys& keys_;
  const ReadOptions& options_;
  ParsedChunk& chunk_;
  std::array<std::optional<JsonValue>, kRowSlots> found_;
};

void refuse_other_shapes(const TextFile& file, const ReadOptions& options) {
  for (const auto& [option, value] :
       {std::pair{"separator", options.separator}, {"header", options.header}}) {
    if (value == "auto") continue;
    fail_config("--{} is {}, but the lines of {} are JSON objects; leave it out", option, value,
                file.path());
  }
  const std::string_view line = first_line(file);
  if (line.starts_with('[')) {
    fail_data("{}: this is one JSON list; write one object on each line (jq -c '.[]' does)",
              file.path());
  }
  if (line == "{") {
    fail_data("{}: an object goes over several lines; write one on each line (jq -c . does)",
              file.path());
  }
}

std::string described(const SlotKeys& keys) {
  std::string text = "jsonl (";
  for (std::size_t slot = 0; slot < kRowSlots; ++slot) {
    if (keys.names[slot].empty()) continue;
    text += fmt::format("{}{} '{}'{}", slot == 0 ? "" : ", ", kSlotNames[slot],
                        excerpt(keys.names[slot]), keys.read(slot) ? "" : " (not read)");
  }
  return text + ")";
}

}  // namespace

bool recognises_json_lines(const TextFile& file, const ReadOptions&) {
  const std::string_view name = unpacked_name(file.path());
  for (const std::string_view ending : {".jsonl", ".ndjson", ".json"}) {
    if (name.ends_with(ending)) return true;
  }
  const std::string_view line = first_line(file);
  if (line == "{" || line == "[" || line.starts_with("[{")) return true;  // to say what to do
  return line.starts_with('{') && whole_object(line);
}

void read_json_lines(const TextFile& file, const ReadOptions& options, Threads& threads,
                     LogBuilder& log) {
  refuse_other_shapes(file, options);
  const std::string_view line = first_line(file);
  if (line.empty()) fail_data("{}: the file is empty; it must hold interactions", file.path());
  if (!line.starts_with('{')) {
    fail_data("{}: no JSON object in '{}'; write one on each line, or give --format delimited",
              file.path(), excerpt(line));
  }
  const SlotKeys keys = choose_keys(file, options);
  ChunkPlan plan;
  plan.path = file.path();
  plan.text = file.text();
  plan.skip_bad_rows = options.skip_bad_rows;
  plan.piece_bytes = options.piece_bytes;
  const auto parse = [&](LineCursor& lines, ParsedChunk& chunk) {
    ObjectParser(keys, options, chunk).parse(lines);
  };
  parse_in_chunks(plan, parse, threads, log);
  log.report.format = described(keys);
  if (log.report.columns.user.empty()) {
    const auto name = [&](std::size_t slot) {
      return keys.names[slot].empty() ? "" : fmt::format("'{}'", keys.names[slot]);
    };
    log.report.columns = {name(kUser),   name(kItem),      name(kRating), name(kTime),
                          name(kWeight), keys.rating_read, keys.time_read};
  }
}

}  // namespace evenkeel::data
