// In: pieces of text, parsed side by side. Out: one log in file order with global row numbers.
#include "data/chunks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace evenkeel::data {
namespace {

// A piece of its own dictionary costs a merge, so pieces are few: some for each thread, so that
// they end together, and none under a megabyte. One thread reads in one piece.
std::size_t piece_count(const ChunkPlan& plan, const Threads& threads) {
  if (plan.piece_bytes > 0) return plan.text.size() / plan.piece_bytes + 1;
  if (threads.count() == 1) return 1;
  const std::size_t most = static_cast<std::size_t>(threads.count()) * 3;
  return std::clamp<std::size_t>(plan.text.size() >> 20, 1, most);
}

void parse_piece(std::string_view piece, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                 ParsedChunk& chunk) {
  const void* zero = std::memchr(piece.data(), '\0', piece.size());
  std::string_view clean = piece;
  if (zero != nullptr) {
    clean =
        piece.substr(0, static_cast<std::size_t>(static_cast<const char*>(zero) - piece.data()));
    clean = clean.substr(0, clean.rfind('\n') + 1);  // npos + 1 == 0: nothing is clean
  }
  LineCursor lines(clean);
  parse(lines, chunk);
  chunk.lines = lines.taken();
  if (chunk.failure) return;
  if (lines.too_long()) {
    chunk.failure = BadRow{{},
                           chunk.lines + 1,
                           fmt::format("the line is longer than {} MiB; is this a list of "
                                       "interactions, one a line?",
                                       kLongestLine >> 20)};
  } else if (zero != nullptr) {
    chunk.failure = BadRow{{},
                           chunk.lines + 1,
                           "the line holds a NUL byte, so this is binary data or UTF-16; export "
                           "it as UTF-8 text"};
  }
}

std::vector<ParsedChunk> parse_pieces(const ChunkPlan& plan, std::size_t count,
                                      FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                                      Threads& threads) {
  const auto pieces = cut_at_lines(plan.text, count);
  std::vector<ParsedChunk> chunks(pieces.size());
  threads.for_chunks(pieces.size(), 1, [&](std::size_t c, std::size_t, int) {
    chunks[c].skip_bad_rows = plan.skip_bad_rows;
    parse_piece(pieces[c], parse, chunks[c]);
  });
  return chunks;
}

std::vector<Row> joined(const Ids& local, Ids& global) {
  std::vector<Row> rows(local.size());
  for (Row row = 0; row < local.size(); ++row) rows[row] = global.insert(local.text(row));
  return rows;
}

// Dictionaries are joined in file order (users and items side by side), pairs after that.
void join(std::vector<ParsedChunk>& chunks, Threads& threads, Interactions& log) {
  std::vector<std::vector<Row>> users(chunks.size()), items(chunks.size());
  const bool take_over = chunks.size() == 1 && log.users.size() == 0 && log.items.size() == 0;
  if (take_over) {
    log.users = std::move(chunks[0].users);
    log.items = std::move(chunks[0].items);
    log.pairs = std::move(chunks[0].pairs);
    log.times = std::move(chunks[0].times);
    return;
  }
  threads.for_chunks(2, 1, [&](std::size_t side, std::size_t, int) {
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      if (side == 0) users[c] = joined(chunks[c].users, log.users);
      if (side == 1) items[c] = joined(chunks[c].items, log.items);
    }
  });
  std::vector<std::size_t> starts(chunks.size());
  std::size_t total = log.pairs.size(), total_times = log.times.size();
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    starts[c] = total;
    total += chunks[c].pairs.size();
    total_times += chunks[c].times.size();
  }
  EVENKEEL_CHECK(total_times == 0 || total_times == total);
  log.pairs.resize(total);
  log.times.resize(total_times);
  threads.for_chunks(chunks.size(), 1, [&](std::size_t c, std::size_t, int) {
    Pair* out = log.pairs.data() + starts[c];
    for (const Pair& pair : chunks[c].pairs) *out++ = {users[c][pair.user], items[c][pair.item]};
    if (total_times > 0) {
      std::copy(chunks[c].times.begin(), chunks[c].times.end(), log.times.begin() + starts[c]);
    }
  });
}

}  // namespace

bool ParsedChunk::bad_row(std::uint64_t line, std::string reason) {
  if (!skip_bad_rows) {
    failure = BadRow{{}, line, std::move(reason) + " (--on-bad-row skip leaves such rows out)"};
    return false;
  }
  ++bad_rows;
  if (shown.size() < kShownBadRows) shown.push_back({{}, line, std::move(reason)});
  return true;
}

void parse_in_chunks(const ChunkPlan& plan, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                     Threads& threads, Interactions& log) {
  std::vector<ParsedChunk> chunks = parse_pieces(plan, piece_count(plan, threads), parse, threads);
  // A row that goes on beyond its piece: in one piece there is nothing beyond.
  const auto last = chunks.empty() ? chunks.end() : chunks.end() - 1;
  if (std::any_of(chunks.begin(), last, [](const ParsedChunk& chunk) { return chunk.open_end; })) {
    chunks = parse_pieces(plan, 1, parse, threads);
  }
  std::uint64_t before = plan.first_line - 1;
  for (ParsedChunk& chunk : chunks) {
    if (chunk.failure) {
      fail_data("{}:{}: {}", plan.path, before + chunk.failure->line, chunk.failure->reason);
    }
    for (BadRow& row : chunk.shown) {
      if (log.report.shown.size() == kShownBadRows) break;
      log.report.shown.push_back({plan.path, before + row.line, std::move(row.reason)});
    }
    before += chunk.lines;
    log.report.bad_rows += chunk.bad_rows;
    log.report.below_threshold += chunk.below_threshold;
    log.report.comments += chunk.comments;
    log.report.headers += chunk.headers;
  }
  log.report.lines += before;
  log.report.bytes += plan.text.size();
  join(chunks, threads, log);
}

}  // namespace evenkeel::data
