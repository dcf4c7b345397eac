// In: lines of a user and its items. Out: one pair for each item.
#include "data/adjacency.h"

#include "base/error.h"
#include "data/chunks.h"
#include "data/shape.h"

namespace evenkeel::data {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

// Takes the next word off the front of `line`; empty at the end.
std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

void parse_lines(LineCursor& lines, ParsedChunk& chunk) {
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view user = next_word(line);
    if (user == "#") {
      ++chunk.comments;
      continue;
    }
    std::string_view item = next_word(line);
    if (item.empty()) continue;  // a user without items says nothing
    for (; !item.empty(); item = next_word(line)) chunk.add(user, item);
  }
}

bool opens_comment(std::string_view line) {
  return line.starts_with('#') && (line.size() == 1 || blank(line[1]));
}

// `#user item item` above the first user is a comment too, when no other line begins with # and a
// word: several of them are users whose ids begin with #.
bool comment_without_blank(std::string_view text) {
  constexpr std::size_t kSampleBytes = std::size_t{1} << 20;
  LineCursor lines(text.substr(0, kSampleBytes));
  std::string_view line;
  std::size_t marked = 0, others = 0, marked_first = 0;
  while (lines.next(line)) {
    if (line.empty() || opens_comment(line)) continue;
    ++(line.front() == '#' ? marked : others);
    if (others == 0) marked_first = marked;
  }
  return marked == 1 && marked_first == 1 && others > 0;
}

// Moves `text` behind the comments above the first user and counts them.
std::uint64_t pass_comments(std::string_view& text, std::uint64_t& first_line) {
  const bool all = comment_without_blank(text);
  std::uint64_t comments = 0;
  std::string_view line;
  while (LineCursor(text).next(line)) {
    const bool comment = all ? line.starts_with('#') : opens_comment(line);
    if (!line.empty() && !comment) break;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // the last line
    comments += comment ? 1 : 0;
    ++first_line;
    text.remove_prefix(end + 1);
  }
  return comments;
}

struct Asked {
  std::string_view option;
  std::string value;
};

// What only a table can answer.
std::vector<Asked> asked_of_tables(const ReadOptions& options) {
  std::vector<Asked> asked{{"user-column", options.user_column},
                           {"item-column", options.item_column},
                           {"rating-column", options.rating_column},
                           {"time-column", options.time_column}};
  if (options.min_rating) asked.push_back({"min-rating", fmt::format("{}", *options.min_rating)});
  if (options.separator != "auto") asked.push_back({"separator", options.separator});
  if (options.header != "auto") asked.push_back({"header", options.header});
  std::erase_if(asked, [](const Asked& one) { return one.value.empty(); });
  return asked;
}

void refuse_table_options(const TextFile& file, const ReadOptions& options) {
  for (const Asked& asked : asked_of_tables(options)) {
    fail_config(
        "--{} is {}, but the lines of {} are `user item item ...` (adjacency) and have no columns; "
        "leave it out, or give --format delimited if they are rows of a table",
        asked.option, asked.value, file.path());
  }
  if (options.times == Times::kRequired) {
    fail_config(
        "{} needs times, but the adjacency lines of {} hold none; {} or a file with a time column",
        options.half_life ? "--half-life" : "a split by time", file.path(),
        options.half_life ? "leave it out" : "choose another --split");
  }
}

std::string doubt(const TextFile& file, const ReadOptions& options) {
  if (options.format != "auto") return "";
  const Shape shape = shape_of(file.text());
  if (shape.kind != Shape::kEither || (shape.width < 3 && shape.blanks_only)) return "";
  if (shape.width < 3) {
    return fmt::format(
        "{}: lines were cut at blanks into a user and its items; if they are rows of a table give "
        "--format delimited",
        file.path());
  }
  return fmt::format(
      "{}: the {} words of every line were read as a user and its items; if they are user, item "
      "and rating give --format delimited",
      file.path(), shape.width);
}

}  // namespace

bool recognises_adjacency(const TextFile& file, const ReadOptions& options) {
  const Shape shape = shape_of(file.text());
  if (shape.kind == Shape::kTable) return false;
  // Options that only a table understands decide where the lines do not.
  const bool table = options.times == Times::kRequired || !asked_of_tables(options).empty();
  const bool either = shape.kind == Shape::kEither && !table;
  if (options.lean_adjacency) return shape.kind == Shape::kAdjacency || either;
  return shape.blanks_only && (shape.kind == Shape::kAdjacency || (either && shape.like_items));
}

void read_adjacency(const TextFile& file, const ReadOptions& options, Threads& threads,
                    LogBuilder& log) {
  refuse_table_options(file, options);
  ChunkPlan plan;
  plan.path = file.path();
  plan.text = file.text();
  plan.skip_bad_rows = options.skip_bad_rows;
  plan.piece_bytes = options.piece_bytes;
  log.report.comments += pass_comments(plan.text, plan.first_line);
  const std::uint64_t before = log.read;
  const auto parse = [](LineCursor& lines, ParsedChunk& chunk) { parse_lines(lines, chunk); };
  parse_in_chunks(plan, parse, threads, log);
  log.report.format = "adjacency";
  if (std::string words = doubt(file, options); !words.empty()) {
    log.report.doubts.push_back(std::move(words));
  }
  if (log.read == before && !file.text().empty()) {
    std::string_view line;
    LineCursor(file.text()).next(line);
    fail_data(
        "{}:1: no interactions; lines are `user item item ...` with blanks between, this one "
        "is '{}'",
        file.path(), excerpt(line));
  }
}

}  // namespace evenkeel::data
