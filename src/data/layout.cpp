// In: the first lines of a table. Out: how it is cut and which columns are wanted.
#include "data/layout.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "base/error.h"
#include "data/column_looks.h"
#include "data/column_names.h"
#include "data/numbers.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kLayoutSampleBytes = std::size_t{1} << 16;
constexpr std::size_t kLayoutSampleLines = 200;

// Whole, non-empty lines from the start of the text.
std::vector<std::string_view> sample_lines(std::string_view text) {
  std::string_view sample = text.substr(0, kLayoutSampleBytes);
  if (sample.size() < text.size()) {
    const std::size_t end = sample.rfind('\n');
    // One line fills the sample: it alone must do, as far as it goes.
    if (end != std::string_view::npos) sample = sample.substr(0, end + 1);
  }
  std::vector<std::string_view> lines;
  LineCursor cursor(sample);
  std::string_view line;
  while (lines.size() < kLayoutSampleLines && cursor.next(line)) {
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

// The width of most lines; of equally many, the smaller one, so that nothing is passed over.
std::size_t usual_width(std::span<const std::string_view> lines, const Separator& separator) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::string_view line : lines) {
    if (const std::size_t width = count_fields(line, separator); width > 1) ++counts[width];
  }
  std::size_t best = 1, most = 0;
  for (const auto& [width, count] : counts) {
    if (count > most) best = width;
    most = std::max(most, count);
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
  if (known_column(first, ColumnKind::kUser) || known_column(first, ColumnKind::kItem)) return true;
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
                                        const std::string& asked, std::string_view what) {
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
    fail_data("{}: no column '{}' for --{}-column; the columns are {}", file.path(), excerpt(asked),
              what, fmt::join(layout.names, ", "));
  }
  fail_data("{}: no column '{}' for --{}-column; without a header the columns are 0 to {}",
            file.path(), excerpt(asked), what, layout.width - 1);
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

// Finds the columns one after the other: asked for, known by the header, or in the usual place.
class ColumnChoice {
 public:
  ColumnChoice(const TextFile& file, const ReadOptions& options, const SampleRows& rows,
               Layout& layout)
      : file_(file), options_(options), rows_(rows), layout_(layout) {
    // Names that say nothing at all: the usual order user, item, rating, time.
    usual_ = !known_column(layout.names, ColumnKind::kUser) &&
             !known_column(layout.names, ColumnKind::kItem);
  }

  void choose() {
    const auto user = find(options_.user_column, "user", ColumnKind::kUser, 0);
    if (!user) fail_missing(file_, layout_, "user");
    const auto item = find(options_.item_column, "item", ColumnKind::kItem, 1);
    if (!item) fail_missing(file_, layout_, "item");
    layout_.user = *user;
    layout_.item = *item;
    layout_.weight = asked_column(file_, layout_, options_.weight_column, "weight");
    choose_time();
    choose_rating();
    refuse_shared();
  }

 private:
  std::optional<std::size_t> find(const std::string& asked, std::string_view what, ColumnKind kind,
                                  std::size_t place) const {
    if (const auto column = asked_column(file_, layout_, asked, what)) return column;
    if (const auto column = known_column(layout_.names, kind)) return column;
    if (usual_ && place < layout_.width) return place;
    return std::nullopt;
  }
  bool taken(std::size_t column) const { return column == layout_.user || column == layout_.item; }

  // Where only the place speaks for a column, its values must not speak against it.
  bool guessed(const std::string& asked, ColumnKind kind) const {
    return asked.empty() && !known_column(layout_.names, kind);
  }

  void choose_time() {
    auto column = find(options_.time_column, "time", ColumnKind::kTime, 3);
    if (guessed(options_.time_column, ColumnKind::kTime)) {
      // Rows of user, item and time have no rating.
      const bool third = usual_ && looks_like_times(rows_, 2);
      if (third && !(column && looks_like_times(rows_, *column))) column = 2;
      if (column && (taken(*column) || column == layout_.weight)) column.reset();
    }
    const bool required = options_.times == Times::kRequired;
    if (!column && required) fail_missing(file_, layout_, "time");
    if (!column) return;
    // Where times are not needed, a fourth column of words is something else.
    const bool words =
        !rows_.empty() && *column < rows_[0].size() && !parse_time(rows_[0][*column]);
    if (!required && options_.time_column.empty() && words) return;
    (options_.times == Times::kIgnore ? layout_.idle_time : layout_.time) = column;
  }

  void choose_rating() {
    auto column = find(options_.rating_column, "rating", ColumnKind::kRating, 2);
    if (column && guessed(options_.rating_column, ColumnKind::kRating)) {
      const bool time =
          column == layout_.time || column == layout_.idle_time || column == layout_.weight;
      const bool words = !options_.min_rating && !looks_numeric(rows_, *column);
      if (taken(*column) || time || words || looks_like_times(rows_, *column)) column.reset();
    }
    if (!column && options_.min_rating) fail_missing(file_, layout_, "rating");
    (options_.min_rating ? layout_.rating : layout_.idle_rating) = column;
  }

  void refuse_weight_as(std::string_view what, const std::optional<std::size_t>& column) const {
    if (!layout_.weight || layout_.weight != column) return;
    fail_config("{}: --weight-column is the {} column, {}; name a column of weights", file_.path(),
                what, layout_.column_name(*column));
  }

  void refuse_shared() const {
    refuse_weight_as("user", layout_.user);
    refuse_weight_as("item", layout_.item);
    refuse_weight_as("time", layout_.time);
    struct Use {
      std::string_view what;
      std::optional<std::size_t> column;
    };
    const Use uses[] = {{"user", layout_.user},
                        {"item", layout_.item},
                        {"rating", layout_.rating ? layout_.rating : layout_.idle_rating},
                        {"time", layout_.time ? layout_.time : layout_.idle_time}};
    for (const Use& one : uses) {
      for (const Use& other : uses) {
        if (one.what == other.what || !one.column || one.column != other.column) continue;
        fail_config("{}: {} and {} are both column {}; set --{}-column and --{}-column apart",
                    file_.path(), one.what, other.what, layout_.column_name(*one.column), one.what,
                    other.what);
      }
    }
  }

  const TextFile& file_;
  const ReadOptions& options_;
  const SampleRows& rows_;
  Layout& layout_;
  bool usual_ = false;
};

// Moves the body behind `line`, one of its lines.
void go_behind(std::string_view line, Layout& layout) {
  const char* end = line.data() + line.size();
  const std::string_view before(layout.body.data(), end);
  layout.first_line += static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  layout.body.remove_prefix(before.size());
  const std::size_t line_end = layout.body.find('\n');
  layout.first_line += line_end != std::string_view::npos ? 1 : 0;
  layout.body.remove_prefix(std::min(layout.body.size(), line_end + 1));
}

void take_header(std::string_view line, std::vector<std::string> names, Layout& layout) {
  layout.header = true;
  layout.header_line = line;
  layout.names = std::move(names);
  layout.width = layout.names.size();
  go_behind(line, layout);
}

// `# user item rating` above the rows: a header that is written as a comment.
std::vector<std::string> names_in_comment(std::string_view line, const Layout& layout) {
  line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
  std::vector<std::string> names = all_fields(line, layout.separator);
  const bool names_pairs = names.size() == layout.width && known_column(names, ColumnKind::kUser) &&
                           known_column(names, ColumnKind::kItem);
  return names_pairs ? names : std::vector<std::string>{};
}

// Comments before anything else; one of them may be the header.
void pass_comments(const ReadOptions& options, Layout& layout) {
  LineCursor lines(layout.body);
  std::string_view line;
  while (!layout.header && lines.next(line)) {
    if (trimmed(line).empty()) continue;
    if (!line.starts_with('#')) return;
    auto names = names_in_comment(line, layout);
    if (options.header != "no" && !names.empty()) {
      take_header(line, std::move(names), layout);
    } else if (layout.is_comment(line)) {
      ++layout.comments_above;
      go_behind(line, layout);
    } else {
      return;
    }
  }
}

Separator choose_separator(const TextFile& file, const ReadOptions& options, bool typed_header,
                           std::span<const std::string_view> lines) {
  const bool quotes = !typed_header;
  if (options.separator != "auto") return {separator_text(options.separator), quotes};
  if (typed_header) return {"\t", quotes};
  return detect_separator(file, lines, quotes);
}

}  // namespace

std::string Layout::column_name(std::size_t column) const {
  if (column < names.size()) return fmt::format("'{}'", names[column]);
  return fmt::format("{} (from 0)", column);
}

bool Layout::is_comment(std::string_view line) const {
  if (!comments || !line.starts_with('#')) return false;
  const bool apart = line.size() == 1 || line[1] == ' ' || line[1] == '\t';
  if (apart && (!header || separator.blanks())) return true;
  return count_fields(line, separator) != width;
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
  auto lines = sample_lines(file.text());
  if (lines.empty()) fail_data("{}: the file is empty; it must hold interactions", file.path());
  Layout layout;
  layout.body = file.text();
  layout.comments = !typed_header;
  const auto marked = [](std::string_view line) { return line.starts_with('#'); };
  if (layout.comments && !std::all_of(lines.begin(), lines.end(), marked)) {
    std::erase_if(lines, marked);
  }
  layout.separator = choose_separator(file, options, typed_header, lines);
  layout.width = usual_width(lines, layout.separator);
  if (layout.comments) pass_comments(options, layout);

  lines = sample_lines(layout.body);
  std::erase_if(lines, [&](std::string_view line) { return layout.is_comment(line); });
  if (!layout.header && !lines.empty()) {
    const bool header = typed_header || options.header == "yes" ||
                        (options.header == "auto" && looks_like_header(lines, layout.separator));
    if (header) {
      take_header(lines.front(), all_fields(lines.front(), layout.separator), layout);
      lines.erase(lines.begin());
    }
  }
  if (typed_header) {
    for (std::string& name : layout.names) name = name.substr(0, name.rfind(':'));
  }
  SampleRows rows;
  for (const std::string_view line : lines) rows.push_back(all_fields(line, layout.separator));
  ColumnChoice(file, options, rows, layout).choose();
  return layout;
}

}  // namespace evenkeel::data
