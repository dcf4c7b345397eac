// In: lines of a user and its items. Out: one pair for each item.
#include "data/adjacency.h"

#include "base/error.h"
#include "data/chunks.h"

namespace evenkeel {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

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

std::size_t word_count(std::string_view line) {
  std::size_t count = 0;
  while (!next_word(line).empty()) ++count;
  return count;
}

void parse_lines(LineCursor& lines, ParsedChunk& chunk) {
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view user = next_word(line);
    std::string_view item = next_word(line);
    if (item.empty()) continue;  // a user without items says nothing
    const Row row = chunk.users.insert(user);
    for (; !item.empty(); item = next_word(line)) {
      chunk.pairs.push_back({row, chunk.items.insert(item)});
    }
  }
}

}  // namespace

// Blanks only, and lines of different lengths: a table would have the same columns on each.
bool recognises_adjacency(const TextFile& file) {
  const std::string_view sample = file.text().substr(0, kSampleBytes);
  LineCursor lines(sample);
  std::string_view line;
  std::size_t first = 0;
  bool varies = false;
  while (lines.next(line)) {
    if (line.find_first_of("\t,;|\"") != std::string_view::npos) return false;
    if (line.find("::") != std::string_view::npos) return false;
    // The sample may end inside a line.
    const bool last = line.data() + line.size() == sample.data() + sample.size();
    if (last && sample.size() < file.text().size() && lines.taken() > 1) break;
    const std::size_t count = word_count(line);
    if (count == 0) continue;
    if (first == 0) first = count;
    varies = varies || count != first;
  }
  return varies;
}

void read_adjacency(const TextFile& file, const ReadOptions& options, Threads& threads,
                    Interactions& log) {
  if (options.min_rating) {
    fail_config("--min-rating is {}, but the adjacency lines of {} hold no ratings; leave it out",
                *options.min_rating, file.path());
  }
  if (options.times == Times::kRequired) {
    fail_config(
        "a split by time needs times, but the adjacency lines of {} hold none; choose "
        "another --split or a file with a time column",
        file.path());
  }
  ChunkPlan plan;
  plan.path = file.path();
  plan.text = file.text();
  plan.skip_bad_rows = options.skip_bad_rows;
  plan.piece_bytes = options.piece_bytes;
  const std::size_t before = log.pairs.size();
  const auto parse = [](LineCursor& lines, ParsedChunk& chunk) { parse_lines(lines, chunk); };
  parse_in_chunks(plan, parse, threads, log);
  log.report.format = "adjacency";
  if (log.pairs.size() == before && !file.text().empty()) {
    std::string_view line;
    LineCursor(file.text()).next(line);
    fail_data(
        "{}:1: no interactions; lines are `user item item ...` with blanks between, this one "
        "is '{}'",
        file.path(), excerpt(line));
  }
}

}  // namespace evenkeel
