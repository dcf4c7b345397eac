// In: the first lines of a text. Out: lists of items, or rows of a table.
#include "data/shape.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "data/column_looks.h"
#include "data/column_names.h"
#include "data/fields.h"
#include "data/numbers.h"
#include "data/text_file.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kShapeSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kSampleRows = 2000;  // for the values of columns
constexpr std::size_t kFewRows = 4;        // below, a column may look like ratings by chance

using Lines = std::vector<std::string_view>;

// Whole lines with something in them and without comments, unless every line begins with #.
Lines sample_of(std::string_view text) {
  const std::string_view sample = text.substr(0, kShapeSampleBytes);
  Lines lines;
  LineCursor cursor(sample);
  std::string_view line;
  while (cursor.next(line)) {
    const bool cut =
        line.data() + line.size() == sample.data() + sample.size() && sample.size() < text.size();
    if (cut && !lines.empty()) break;
    if (!trimmed(line).empty()) lines.push_back(line);
  }
  const auto marked = [](std::string_view l) { return l.starts_with('#'); };
  const auto first = std::find_if_not(lines.begin(), lines.end(), marked);
  if (first == lines.end()) return lines;
  lines.erase(lines.begin(), first);
  std::erase_if(lines, [](std::string_view l) { return l == "#" || l.starts_with("# "); });
  return lines;
}

// The number of fields above one that all lines have; 0 when they differ.
std::size_t common_width(std::span<const std::string_view> lines, const Separator& separator) {
  std::size_t width = 0;
  for (const std::string_view line : lines) {
    const std::size_t found = count_fields(line, separator);
    if (found < 2 || (width != 0 && found != width)) return 0;
    width = found;
  }
  return width;
}

// Whole words for a user and for an item; letters alone (`u i`) may well be ids.
bool names_columns(std::string_view line, const Separator& separator) {
  const auto names = all_fields(line, separator);
  const auto word = [&](ColumnKind kind) {
    const auto column = known_column(names, kind);
    return column && plain_name(names[*column]).size() > 1;
  };
  return word(ColumnKind::kUser) && word(ColumnKind::kItem);
}

struct ShapeRows {
  SampleRows rows;
  bool header = false;  // words above numbers; not among the rows
  bool users_repeat = false;
};

ShapeRows rows_of(std::span<const std::string_view> lines, const Separator& separator) {
  ShapeRows out;
  for (const std::string_view line : lines.subspan(0, std::min(lines.size(), kSampleRows))) {
    out.rows.push_back(all_fields(line, separator));
  }
  const bool words = out.rows.size() > 1 && out.rows[0].size() > 2 && !parse_time(out.rows[0][2]);
  if (words && looks_numeric({out.rows.begin() + 1, out.rows.end()}, 2)) {
    out.header = true;
    out.rows.erase(out.rows.begin());
  }
  std::unordered_set<std::string> users;
  for (const auto& row : out.rows) {
    if (!users.insert(row.front()).second) out.users_repeat = true;
  }
  return out;
}

// ShapeRows `user item rating time`, `user item time` or `user item rating`. Adjacency lists have
// each user once, as a rule, and item numbers in every column alike.
bool holds_ratings(const ShapeRows& sample, std::size_t width) {
  const SampleRows& rows = sample.rows;
  const bool rated = looks_like_ratings(rows, 2);
  if (width >= 4 && looks_like_times(rows, 3)) {
    const bool ids = looks_like_times(rows, 1) || looks_like_times(rows, 2);
    if (rated || (sample.users_repeat && !ids)) return true;
  }
  if (width != 3 || !sample.users_repeat) return false;
  if (looks_like_times(rows, 2)) return !looks_like_times(rows, 1);
  return rated && !looks_like_ratings(rows, 1) && rows.size() >= kFewRows;
}

bool cuts_a_table(std::span<const std::string_view> lines, const Separator& separator) {
  const std::size_t width = common_width(lines, separator);
  return width > 0 && (names_columns(lines.front(), separator) ||
                       holds_ratings(rows_of(lines, separator), width));
}

enum class Cut { kNone, kUnclear, kTable };

// `,` and the like. Where blanks cut the lines as well, either could be inside of ids.
Cut cut_at(std::string_view separator_text, std::span<const std::string_view> lines,
           bool words_differ) {
  const Separator separator{std::string(separator_text), true};
  const std::size_t width = common_width(lines, separator);
  if (width == 0) return Cut::kNone;
  const bool blanks = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find_first_of(" \t") != std::string_view::npos;
  });
  if (!blanks || names_columns(lines.front(), separator)) return Cut::kTable;
  // `Smith,J emma dune` has one comma on each line and any number of words.
  return words_differ && width > 2 && lines.size() > 1 ? Cut::kTable : Cut::kUnclear;
}

bool only_blanks_separate(std::string_view line) {
  return line.find_first_of("\t,;|\"") == std::string_view::npos &&
         line.find("::") == std::string_view::npos;
}

// A third word that is no rating, beside a second that is of the same kind: items both.
bool alike(const ShapeRows& sample) {
  const SampleRows& rows = sample.rows;
  return rows.size() > 1 && !sample.header && !sample.users_repeat &&
         !looks_like_ratings(rows, 2) && !looks_like_times(rows, 2) &&
         looks_numeric(rows, 1) == looks_numeric(rows, 2);
}

}  // namespace

Shape shape_of(std::string_view text) {
  Shape shape;
  const Lines lines = sample_of(text);
  if (lines.empty()) return shape;
  const Separator blanks{" ", false}, tab{"\t", false};
  shape.width = common_width(lines, blanks);
  shape.blanks_only = std::all_of(lines.begin(), lines.end(), only_blanks_separate);
  const bool alone = std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
    return count_fields(line, blanks) == 1;
  });
  shape.kind = shape.width > 0 || alone ? Shape::kEither : Shape::kAdjacency;
  for (const char* separator : {"::", ",", ";", "|"}) {
    const Cut cut = cut_at(separator, lines, shape.width == 0);
    if (cut == Cut::kUnclear) shape.kind = Shape::kEither;
    if (cut != Cut::kTable) continue;
    shape.kind = Shape::kTable;
    return shape;
  }
  if (cuts_a_table(lines, tab) || cuts_a_table(lines, blanks)) shape.kind = Shape::kTable;
  if (shape.kind == Shape::kEither && shape.width > 2) {
    shape.like_items = alike(rows_of(lines, blanks));
  }
  return shape;
}

}  // namespace evenkeel::data
