// In: the first lines of a table. Out: how it is cut and which columns are wanted.
#include "data/layout.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/error.h"
#include "data/numbers.h"

namespace evenkeel {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 16;
constexpr std::size_t kSampleLines = 200;

// Header names people use, letters and digits only, the plainest first.
constexpr std::array<std::string_view, 16> kUserNames{
    "user",       "userid",    "uid",       "u",         "username", "customer",
    "customerid", "member",    "memberid",  "visitorid", "reader",   "reviewerid",
    "accountid",  "profileid", "sessionid", "client"};
constexpr std::array<std::string_view, 30> kItemNames{
    "item",    "itemid",    "iid",    "i",        "movie",      "movieid",
    "product", "productid", "asin",   "book",     "bookid",     "isbn",
    "song",    "songid",    "track",  "trackid",  "artist",     "artistid",
    "article", "articleid", "sku",    "business", "businessid", "video",
    "videoid", "game",      "gameid", "anime",    "animeid",    "parentasin"};
constexpr std::array<std::string_view, 10> kRatingNames{
    "rating", "ratings", "score", "stars", "overall", "value", "vote", "preference", "r", "weight"};
constexpr std::array<std::string_view, 12> kTimeNames{
    "timestamp", "time",      "ts",        "date",     "datetime", "unixreviewtime",
    "ratedat",   "createdat", "eventtime", "unixtime", "t",        "unixtimestamp"};

std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out.push_back(static_cast<char>(c - 'A' + 'a'));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out.push_back(c);
  }
  return out;
}

std::optional<std::size_t> known_column(std::span<const std::string> names,
                                        std::span<const std::string_view> known) {
  for (const std::string_view wanted : known) {
    for (std::size_t column = 0; column < names.size(); ++column) {
      if (plain_name(names[column]) == wanted) return column;
    }
  }
  return std::nullopt;
}

// Whole, non-empty lines from the start of the text.
std::vector<std::string_view> sample_lines(std::string_view text) {
  std::string_view sample = text.substr(0, kSampleBytes);
  if (sample.size() < text.size()) {
    const std::size_t end = sample.rfind('\n');
    // One line fills the sample: it alone must do, as far as it goes.
    if (end != std::string_view::npos) sample = sample.substr(0, end + 1);
  }
  std::vector<std::string_view> lines;
  LineCursor cursor(sample);
  std::string_view line;
  while (lines.size() < kSampleLines && cursor.next(line)) {
    if (!trimmed(line).empty()) lines.push_back(line);
  }
  return lines;
}

// How many lines agree on a number of fields above one, and that number.
struct Agreement {
  std::size_t lines = 0, width = 0;
};

Agreement agreement(std::span<const std::string_view> lines, const Separator& separator) {
  std::vector<std::size_t> widths;
  for (const std::string_view line : lines) {
    const std::size_t width = count_fields(line, separator);
    if (width > 1) widths.push_back(width);
  }
  std::sort(widths.begin(), widths.end());
  Agreement best;
  for (std::size_t from = 0; from < widths.size();) {
    std::size_t to = from;
    while (to < widths.size() && widths[to] == widths[from]) ++to;
    if (to - from >= best.lines) best = {to - from, widths[from]};
    from = to;
  }
  return best;
}

std::string separator_text(const std::string& word) {
  if (word == "comma") return ",";
  if (word == "tab" || word == "\\t") return "\t";
  if (word == "space") return " ";
  if (word == "pipe") return "|";
  if (word == "semicolon") return ";";
  if (word.empty() || word.find_first_of("\"\r\n") != std::string::npos) {
    fail_config("--separator is '{}'; give comma, tab, space, pipe, semicolon or the characters",
                word);
  }
  return word;
}

// The separator on which most lines agree; blanks only when nothing else cuts half the lines.
Separator detect_separator(const TextFile& file, std::span<const std::string_view> lines,
                           bool quotes) {
  Separator best;
  Agreement best_agreement;
  for (const char* text : {"::", "\t", ",", ";", "|", " "}) {
    const Separator candidate{text, quotes};
    if (candidate.blanks() && best_agreement.lines * 2 >= lines.size()) break;
    const Agreement found = agreement(lines, candidate);
    const bool better = found.lines > best_agreement.lines ||
                        (found.lines == best_agreement.lines && found.width > best_agreement.width);
    if (!better) continue;
    best = candidate;
    best_agreement = found;
  }
  if (best_agreement.lines == 0) {
    fail_data(
        "{}:1: only one column in '{}'; separate user and item by comma, tab, ::, ;, | or "
        "blanks, or say how with --separator",
        file.path(), excerpt(lines.front()));
  }
  return best;
}

// A header: names we know, or words above columns that are numbers everywhere else.
bool looks_like_header(std::span<const std::string_view> lines, const Separator& separator) {
  const std::vector<std::string> first = all_fields(lines.front(), separator);
  if (known_column(first, kUserNames) || known_column(first, kItemNames)) return true;
  if (lines.size() < 2) return false;
  std::vector<bool> numeric(first.size(), true);
  for (const std::string_view line : lines.subspan(1)) {
    const std::vector<std::string> fields = all_fields(line, separator);
    for (std::size_t c = 0; c < first.size(); ++c) {
      numeric[c] = numeric[c] && c < fields.size() && parse_finite(fields[c]).has_value();
    }
  }
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (numeric[c] && !first[c].empty() && !parse_time(first[c])) return true;
  }
  return false;
}

std::optional<std::size_t> asked_column(const TextFile& file, const Layout& layout,
                                        const std::string& asked, std::string_view option) {
  if (asked.empty()) return std::nullopt;
  for (std::size_t c = 0; c < layout.names.size(); ++c) {
    if (layout.names[c] == asked) return c;
  }
  for (std::size_t c = 0; c < layout.names.size(); ++c) {
    if (!plain_name(asked).empty() && plain_name(layout.names[c]) == plain_name(asked)) return c;
  }
  std::size_t index = 0;
  const char* end = asked.data() + asked.size();
  const auto [stop, failure] = std::from_chars(asked.data(), end, index);
  if (failure == std::errc() && stop == end && index < layout.width) return index;
  if (layout.header) {
    fail_data("{}: no column '{}' for --{}; the columns are {}", file.path(), excerpt(asked),
              option, fmt::join(layout.names, ", "));
  }
  fail_data("{}: no column '{}' for --{}; without a header the columns are 0 to {}", file.path(),
            excerpt(asked), option, layout.width - 1);
}

[[noreturn]] void fail_missing(const TextFile& file, const Layout& layout, std::string_view what) {
  if (layout.header) {
    fail_data("{}: no {} column found; the columns are {}; say which with --{}-column", file.path(),
              what, fmt::join(layout.names, ", "), what);
  }
  fail_data(
      "{}: no {} column found; the file has {} columns and no header; say which with "
      "--{}-column",
      file.path(), what, layout.width, what);
}

void choose_columns(const TextFile& file, const ReadOptions& options, Layout& layout,
                    std::span<const std::string> first_row) {
  const auto known_user = known_column(layout.names, kUserNames);
  const auto known_item = known_column(layout.names, kItemNames);
  // Names that say nothing at all: the usual order user, item, rating, time.
  const bool usual = !known_user && !known_item;
  const auto find = [&](const std::string& asked, std::string_view option,
                        std::span<const std::string_view> known,
                        std::size_t place) -> std::optional<std::size_t> {
    if (const auto column = asked_column(file, layout, asked, option)) return column;
    if (const auto column = known_column(layout.names, known)) return column;
    if (usual && place < layout.width) return place;
    return std::nullopt;
  };
  const auto user = find(options.user_column, "user-column", kUserNames, 0);
  if (!user) fail_missing(file, layout, "user");
  const auto item = find(options.item_column, "item-column", kItemNames, 1);
  if (!item) fail_missing(file, layout, "item");
  layout.user = *user;
  layout.item = *item;
  if (layout.user == layout.item) {
    fail_config("user and item are both column {}; set --user-column and --item-column apart",
                layout.column_name(layout.user));
  }
  if (options.min_rating) {
    layout.rating = find(options.rating_column, "rating-column", kRatingNames, 2);
    if (!layout.rating) fail_missing(file, layout, "rating");
  }
  if (options.times != Times::kIgnore) {
    layout.time = find(options.time_column, "time-column", kTimeNames, 3);
    if (!layout.time && options.times == Times::kRequired) fail_missing(file, layout, "time");
    // Where times are welcome but not needed, a fourth column of words is something else.
    const bool guessed =
        layout.time && options.time_column.empty() && options.times == Times::kIfPresent;
    if (guessed && *layout.time < first_row.size() && !parse_time(first_row[*layout.time])) {
      layout.time.reset();
    }
  }
}

}  // namespace

std::string Layout::column_name(std::size_t column) const {
  if (column < names.size()) return fmt::format("'{}'", names[column]);
  return fmt::format("{} (from 0)", column);
}

bool has_typed_header(std::string_view text) {
  const auto lines = sample_lines(text);
  if (lines.empty()) return false;
  const auto fields = all_fields(lines.front(), {"\t", false});
  return fields.size() > 1 && std::all_of(fields.begin(), fields.end(), [](const std::string& f) {
           return f.ends_with(":token") || f.ends_with(":float") || f.ends_with(":token_seq") ||
                  f.ends_with(":float_seq");
         });
}

Layout detect_layout(const TextFile& file, const ReadOptions& options, bool typed_header) {
  const auto lines = sample_lines(file.text());
  if (lines.empty()) fail_data("{}: the file is empty; it must hold interactions", file.path());
  Layout layout;
  const bool quotes = !typed_header;
  if (options.separator != "auto") {
    layout.separator = {separator_text(options.separator), quotes};
  } else if (typed_header) {
    layout.separator = {"\t", quotes};
  } else {
    layout.separator = detect_separator(file, lines, quotes);
  }
  layout.header = typed_header || options.header == "yes" ||
                  (options.header == "auto" && looks_like_header(lines, layout.separator));
  layout.width = std::max<std::size_t>(1, agreement(lines, layout.separator).width);
  layout.body = file.text();
  if (layout.header) {
    layout.names = all_fields(lines.front(), layout.separator);
    layout.width = layout.names.size();
    const char* end = lines.front().data() + lines.front().size();
    layout.body.remove_prefix(static_cast<std::size_t>(end - layout.body.data()));
    layout.body.remove_prefix(std::min(layout.body.size(), layout.body.find('\n') + 1));
    const std::string_view head(file.text().data(), file.text().size() - layout.body.size());
    layout.first_line = 1 + static_cast<std::uint64_t>(std::count(head.begin(), head.end(), '\n'));
    if (typed_header) {
      for (std::string& name : layout.names) name = name.substr(0, name.rfind(':'));
    }
  }
  const std::size_t data_line = layout.header ? 1 : 0;
  const auto first_row = data_line < lines.size() ? all_fields(lines[data_line], layout.separator)
                                                  : std::vector<std::string>{};
  choose_columns(file, options, layout, first_row);
  return layout;
}

}  // namespace evenkeel
