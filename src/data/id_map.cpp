// In: ids. Out: `row,id` CSV, and back.
#include "data/id_map.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "data/fields.h"
#include "data/text_file.h"

namespace evenkeel::data {
namespace {

constexpr std::string_view kHeader = "row,id";

void append_quoted(std::string_view id, std::string& text) {
  const bool edge = trimmed(id).size() != id.size();
  if (!edge && id.find_first_of(",\"\r") == std::string_view::npos) {
    text.append(id);
    return;
  }
  text.push_back('"');
  for (const char c : id) {
    if (c == '"') text.push_back('"');
    text.push_back(c);
  }
  text.push_back('"');
}

}  // namespace

std::string id_map_text(const Ids& ids) {
  std::string text(kHeader);
  text.push_back('\n');
  for (Row row = 0; row < ids.size(); ++row) {
    text.append(fmt::format_int(row).c_str());
    text.push_back(',');
    append_quoted(ids.text(row), text);
    text.push_back('\n');
  }
  return text;
}

std::optional<Ids> read_id_map(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return std::nullopt;
  const TextFile file(path);  // refuses what is no regular file
  LineCursor lines(file.text());
  std::string_view line;
  if (!lines.next(line) || line != kHeader) return std::nullopt;
  Ids ids;
  LineFields fields;
  WantedColumns wanted;
  wanted.add(0, 0);
  wanted.add(1, 1);
  wanted.width = 2;
  while (lines.next(line)) {
    const bool good = split_general(line, {",", true}, wanted, fields) == FieldStatus::kGood &&
                      fields.slots[0] == fmt::format_int(ids.size()).c_str() &&
                      !fields.slots[1].empty();
    if (!good || ids.insert(fields.slots[1]) + 1 != lines.taken() - 1) {
      fail_data("{}:{}: '{}' is not row {} with a new id; write the split again", path,
                lines.taken(), excerpt(line), lines.taken() - 2);
    }
  }
  return ids;
}

Ids mapped_ids(const Ids& rows, const Ids& map, const std::string& where) {
  Ids ids;
  ids.reserve(rows.size());
  for (Row row = 0; row < rows.size(); ++row) {
    const std::string_view text = rows.text(row);
    Row at = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), at);
    if (failure != std::errc() || stop != text.data() + text.size() || at >= map.size()) {
      fail_data("{}: '{}' is not a row of the id map ({} rows); write the split again", where,
                excerpt(text), map.size());
    }
    if (ids.insert(map.text(at)) != row) {
      fail_data("{}: row {} is written in two ways ('{}'); write the split again", where, at,
                excerpt(text));
    }
  }
  return ids;
}

}  // namespace evenkeel::data
