// In: rows of a table. Out: titles by row of a model, and rows by a part of their name.
#include "data/titles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>

#include "base/error.h"
#include "data/column_names.h"
#include "data/fields.h"
#include "data/text_file.h"

namespace evenkeel::data {
namespace {

constexpr std::array<std::string_view, 9> kTitleNames{"title",        "name",       "itemname",
                                                      "itemtitle",    "movietitle", "productname",
                                                      "producttitle", "label",      "description"};

struct Columns {
  std::size_t id = 0, title = 1;
  bool header = false;
};

std::optional<std::size_t> title_column(std::span<const std::string> names) {
  for (const std::string_view wanted : kTitleNames) {
    for (std::size_t column = 0; column < names.size(); ++column) {
      if (plain_name(names[column]) == wanted) return column;
    }
  }
  return std::nullopt;
}

Columns columns_of(std::span<const std::string> names, const Ids& ids) {
  const auto title = title_column(names);
  auto id = known_column(names, ColumnKind::kItem);
  for (std::size_t column = 0; !id && column < names.size(); ++column) {
    if (plain_name(names[column]) == "id") id = column;
  }
  // A first row whose first field is an item is a row, whatever it is called.
  if (!title || (!names.empty() && ids.find(names[0]))) return {};
  return {id.value_or(*title == 0 ? 1 : 0), *title, true};
}

// The separator with which the first line is a header or the row of a known item.
Separator separator_of(std::string_view line, const Ids& ids) {
  std::optional<Separator> there;
  for (const char* text : {"\t", "::", "|", ";", ","}) {
    if (line.find(text) == line.npos) continue;
    Separator separator{text, std::string_view(text) != "::"};
    const std::vector<std::string> fields = all_fields(line, separator);
    if (columns_of(fields, ids).header || ids.find(fields[0])) return separator;
    if (!there) there = separator;
  }
  return there.value_or(Separator{});
}

// A title in quotes may hold line ends: the line, and those after it until the quote is closed.
// Nothing where it never is, or where text follows it.
std::optional<std::string_view> whole_row(std::string_view line, LineCursor& lines,
                                          const Separator& separator, const Columns& columns) {
  constexpr std::size_t kLongest = std::size_t{1} << 16;
  if (!separator.quotes || line.find('"') == line.npos) return line;
  WantedColumns last;
  last.add(std::max(columns.id, columns.title), 0);
  LineFields fields;
  LineCursor ahead = lines;
  std::string_view row = line, next;
  for (;;) {
    const FieldStatus status = split_general(row, separator, last, fields);
    if (status == FieldStatus::kTextAfterQuote) return std::nullopt;
    if (status != FieldStatus::kOpenQuote) break;
    do {
      if (!ahead.next(next)) return std::nullopt;
      row = {line.data(), next.data() + next.size()};
      if (row.size() > kLongest) return std::nullopt;
    } while (next.find('"') == next.npos);
  }
  lines = ahead;
  return row;
}

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Where `wanted`, in small letters, begins in `text`.
std::size_t place_of(std::string_view text, std::string_view wanted) {
  const auto found = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                                 [](char a, char b) { return small(a) == b; });
  return found == text.end() && !wanted.empty() ? text.npos
                                                : static_cast<std::size_t>(found - text.begin());
}

}  // namespace

Titles find_titles(const std::string& path, const Ids& ids) {
  const TextFile file(path);
  LineCursor lines(file.text());
  std::string_view line;
  Titles titles;
  titles.texts.resize(ids.size());
  std::optional<Separator> separator;
  Columns columns;
  while (lines.next(line)) {
    if (trimmed(line).empty()) continue;
    if (!separator) {
      separator = separator_of(line, ids);
      columns = columns_of(all_fields(line, *separator), ids);
      if (columns.header) continue;
    }
    const auto whole = whole_row(line, lines, *separator, columns);
    if (!whole) continue;
    const std::vector<std::string> fields = all_fields(*whole, *separator);
    if (fields.size() <= std::max(columns.id, columns.title)) continue;
    const auto row = ids.find(fields[columns.id]);
    if (!row || !titles.texts[*row].empty() || fields[columns.title].empty()) continue;
    titles.texts[*row] = on_one_line(fields[columns.title]);
    ++titles.found;
  }
  return titles;
}

Titles read_titles(const std::string& path, const Ids& ids) {
  Titles titles = find_titles(path, ids);
  if (titles.found == 0) {
    fail_data(
        "{}: no row has the id and title of an item of the model; give a table with both, a "
        "header may name them (item_id,title)",
        path);
  }
  return titles;
}

std::vector<Row> find_rows(const Ids& ids, const Titles& titles, std::string_view text,
                           std::size_t most) {
  std::string wanted(text);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), small);
  using Hit = std::tuple<std::size_t, std::size_t, Row>;  // place, length, row
  std::vector<Hit> hits;
  for (Row row = 0; row < ids.size(); ++row) {
    const std::string_view id = ids.text(row), title = titles.of(row);
    const std::size_t in_id = place_of(id, wanted), in_title = place_of(title, wanted);
    if (in_id == id.npos && in_title == title.npos) continue;
    const bool by_id = in_id <= in_title;
    const std::size_t place = std::min(by_id ? in_id : in_title, std::size_t{1});
    hits.emplace_back(place, by_id ? id.size() : title.size(), row);
  }
  std::sort(hits.begin(), hits.end());
  std::vector<Row> rows;
  for (std::size_t h = 0; h < std::min(hits.size(), most); ++h)
    rows.push_back(std::get<2>(hits[h]));
  return rows;
}

}  // namespace evenkeel::data
