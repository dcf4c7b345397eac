// In: pieces of text, parsed side by side, a round of them at a time. Out: one log in file order
// with rows numbered by first appearance.
#include "data/chunks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/huge_pages.h"

namespace evenkeel::data {
namespace {

// The tokens of a round of new ids (about four times its text) stay in the caches of the cores.
// Pieces are small, so that all cores end together.
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr std::size_t kPiecesOfThread = 16;

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
  chunk.finish();
  chunk.lines = lines.taken();
  if (chunk.failure) return;
  if (lines.too_long()) {
    chunk.failure = BadRow{{},
                           chunk.lines + 1,
                           fmt::format("the line is longer than {} MiB; is this a list of "
                                       "interactions, one per line?",
                                       kLongestLine >> 20)};
  } else if (zero != nullptr) {
    chunk.failure = BadRow{{},
                           chunk.lines + 1,
                           "the line holds a NUL byte, so this is binary data or UTF-16; export "
                           "it as UTF-8 text"};
  }
}

// The front of `text`, about `bytes` of it, up to a line end; a rest of half a piece comes along.
std::string_view first_piece(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes + bytes / 2) return text;
  const std::size_t window = std::min(text.size() - bytes, kLongestLine + 1);
  const void* found = std::memchr(text.data() + bytes, '\n', window);
  // No line end in sight: the rest is one piece, whose cursor stops at the endless line.
  if (found == nullptr) return text;
  return text.substr(0,
                     static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1);
}

// Pieces that are parsed side by side and go into the log together.
struct Round {
  std::vector<std::string_view> pieces;
  std::vector<ParsedChunk> chunks;    // at least as many
  std::size_t good = 0;               // pieces that are taken; the others come again
  std::vector<std::uint64_t> starts;  // of their pairs in the log, and the end
};

class Rounds {
 public:
  Rounds(const ChunkPlan& plan, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
         Threads& threads, LogBuilder& log)
      : plan_(plan),
        parse_(parse),
        threads_(threads),
        log_(log),
        left_(plan.text),
        before_(plan.first_line - 1),
        bytes_(plan.piece_bytes > 0 ? plan.piece_bytes : kPieceBytes) {
    const std::size_t pieces = static_cast<std::size_t>(threads.count()) * kPiecesOfThread;
    for (Round& round : rounds_) round.chunks.resize(pieces);
  }

  // Ids that are known already got their rows while their piece was parsed. New ones are numbered
  // by one core for each side; the others parse the next round meanwhile.
  void run() {
    Round *now = &rounds_[0], *next = &rounds_[1];
    std::size_t first_bytes = bytes_;  // of the first piece of a round
    cut(*now, first_bytes);
    threads_.for_chunks(now->pieces.size(), 1,
                        [&](std::size_t c, std::size_t, int) { parse_chunk(*now, c); });
    while (!now->pieces.empty()) {
      accept(*now);
      first_bytes = now->good > 0 ? bytes_ : first_bytes * 2;
      look_up(*now);
      cut(*next, first_bytes);
      make_room(now->starts.back());
      threads_.for_chunks(3 + next->pieces.size(), 1, [&](std::size_t n, std::size_t, int) {
        if (n < 2) {
          table(n).number();
        } else if (n == 2) {
          append(*now);
        } else {
          parse_chunk(*next, n - 3);
        }
      });
      fill_in(*now);
      if (log_.drain) log_.drain(log_);
      std::swap(now, next);
    }
    log_.report.lines += before_;
    log_.report.bytes += plan_.text.size();
  }

 private:
  void cut(Round& round, std::size_t first_bytes) const {
    round.pieces.clear();
    for (std::string_view rest = left_;
         !rest.empty() && round.pieces.size() < round.chunks.size();) {
      round.pieces.push_back(first_piece(rest, round.pieces.empty() ? first_bytes : bytes_));
      rest.remove_prefix(round.pieces.back().size());
    }
  }

  void parse_chunk(Round& round, std::size_t c) const {
    round.chunks[c].clear(round.pieces[c], log_.users, log_.items);
    round.chunks[c].skip_bad_rows = plan_.skip_bad_rows;
    parse_piece(round.pieces[c], parse_, round.chunks[c]);
  }

  bool is_last(std::string_view piece) const {
    return piece.data() + piece.size() == plan_.text.data() + plan_.text.size();
  }

  // A row that goes on beyond its piece: the piece is parsed again, twice as long. Pieces before it
  // are as they would be in one.
  void accept(Round& round) {
    std::size_t& good = round.good;
    good = 0;
    while (good < round.pieces.size() &&
           (!round.chunks[good].open_end || is_last(round.pieces[good]))) {
      ++good;
    }
    round.starts.assign(1, log_.pairs.size());
    for (std::size_t c = 0; c < good; ++c) {
      account(round.chunks[c]);
      left_.remove_prefix(round.pieces[c].size());
      round.starts.push_back(round.starts.back() + round.chunks[c].pairs);
    }
  }

  void account(ParsedChunk& chunk) {
    if (chunk.failure) {
      fail_data("{}:{}: {}", plan_.path, before_ + chunk.failure->line, chunk.failure->reason);
    }
    ReadReport& report = log_.report;
    for (BadRow& row : chunk.shown) {
      if (report.shown.size() == kShownBadRows) break;
      report.shown.push_back({plan_.path, before_ + row.line, std::move(row.reason)});
    }
    before_ += chunk.lines;
    report.bad_rows += chunk.bad_rows;
    report.below_threshold += chunk.below_threshold;
    report.comments += chunk.comments;
    report.headers += chunk.headers;
  }

  IdTable& table(std::size_t side) { return side == 0 ? log_.users : log_.items; }

  static bool has_tokens(const Round& round) {
    return std::any_of(round.chunks.begin(), round.chunks.begin() + long(round.good),
                       [](const ParsedChunk& chunk) { return chunk.has_tokens(); });
  }

  void look_up(Round& round) {
    if (!has_tokens(round)) return;
    const std::size_t shards = log_.users.shards();
    threads_.for_chunks(2 * shards, 1, [&](std::size_t n, std::size_t, int) {
      const std::size_t side = n / shards, s = n % shards;
      for (std::size_t c = 0; c < round.good; ++c) {
        ParsedChunk& chunk = round.chunks[c];
        table(side).look_up(s, side == 0 ? chunk.users[s] : chunk.items[s], round.starts[c]);
      }
    });
  }

  // What the round gives, with gaps where ids are new.
  void append(const Round& round) {
    for (std::size_t c = 0; c < round.good; ++c) {
      const ParsedChunk& chunk = round.chunks[c];
      log_.pairs.insert(log_.pairs.end(), chunk.rows.begin(), chunk.rows.begin() + chunk.pairs);
      log_.times.insert(log_.times.end(), chunk.times.begin(), chunk.times.end());
      log_.weights.insert(log_.weights.end(), chunk.weights.begin(), chunk.weights.end());
    }
  }

  // Fills the gaps, now that new ids have numbers.
  void fill_in(Round& round) {
    if (has_tokens(round)) {
      const std::size_t shards = log_.users.shards();
      threads_.for_chunks(2 * shards + round.good, 1, [&](std::size_t n, std::size_t, int) {
        if (n < 2 * shards) {
          table(n / shards).store_rows(n % shards);
        } else {
          fill(round.chunks[n - 2 * shards], log_.pairs.data() + round.starts[n - 2 * shards]);
        }
      });
      log_.users.end_round();
      log_.items.end_round();
    }
    take_seen(round);
    log_.read += log_.pairs.size() - round.starts.front();
    EVENKEEL_CHECK(log_.times.empty() || log_.times.size() == log_.pairs.size());
    EVENKEEL_CHECK(log_.weights.empty() || log_.weights.size() == log_.pairs.size());
  }

  // Moves the rows below --min-rating out of the pairs.
  void take_seen(const Round& round) {
    EVENKEEL_CHECK(log_.pairs.size() == round.starts.back());
    const auto first = round.chunks.begin();
    const bool any = std::any_of(first, first + long(round.good),
                                 [](const ParsedChunk& chunk) { return !chunk.seen.empty(); });
    if (!any) return;
    Pair* out = log_.pairs.data() + round.starts.front();
    for (std::size_t c = 0; c < round.good; ++c) {
      auto seen = round.chunks[c].seen.begin();
      const auto end = round.chunks[c].seen.end();
      const Pair* const pairs = log_.pairs.data() + round.starts[c];
      for (std::uint32_t n = 0; n < round.chunks[c].pairs; ++n) {
        if (seen != end && *seen == n) {
          log_.seen.push_back(pairs[n]);
          ++seen;
        } else {
          *out++ = pairs[n];
        }
      }
    }
    log_.pairs.resize(static_cast<std::size_t>(out - log_.pairs.data()));
  }

  void fill(const ParsedChunk& chunk, Pair* out) const {
    for (std::size_t s = 0; s < log_.users.shards(); ++s) {
      for (const IdToken& token : chunk.users[s]) out[token.at].user = log_.users.row(s, token);
      for (const IdToken& token : chunk.items[s]) out[token.at].item = log_.items.row(s, token);
    }
  }

  // Pairs: once for the whole file, by what has been read of it; growing step by step would copy.
  void make_room(std::uint64_t pairs) {
    log_.users.make_room();
    log_.items.make_room();
    if (pairs <= log_.pairs.capacity()) return;
    const double share = static_cast<double>(plan_.text.size() - left_.size()) /
                         static_cast<double>(plan_.text.size());
    const auto more = static_cast<double>(pairs - log_.pairs.size());
    const double wanted = static_cast<double>(log_.pairs.size()) + 1.03 * more / share;
    log_.pairs.reserve(std::max(pairs, static_cast<std::uint64_t>(wanted)));
    prefer_huge_pages(log_.pairs.data() + log_.pairs.size(),
                      (log_.pairs.capacity() - log_.pairs.size()) * sizeof(Pair));
  }

  const ChunkPlan& plan_;
  FunctionRef<void(LineCursor&, ParsedChunk&)> parse_;
  Threads& threads_;
  LogBuilder& log_;
  std::string_view left_;  // not taken yet
  std::uint64_t before_;   // lines of the file before it
  std::size_t bytes_;
  std::array<Round, 2> rounds_;
};

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

void ParsedChunk::finish() {
  for (std::uint32_t n = pairs - std::min(pairs, kAhead); n < pairs; ++n) look_up(n);
}

bool ParsedChunk::has_tokens() const {
  const auto full = [](const std::vector<IdToken>& tokens) { return !tokens.empty(); };
  return std::any_of(users.begin(), users.end(), full) ||
         std::any_of(items.begin(), items.end(), full);
}

void ParsedChunk::clear(std::string_view piece, const IdTable& known_users,
                        const IdTable& known_items) {
  piece_ = piece;
  known_users_ = &known_users;
  known_items_ = &known_items;
  for (auto* side : {&users, &items}) {
    side->resize(known_users.shards());
    for (std::vector<IdToken>& tokens : *side) tokens.clear();
  }
  pairs = 0;
  seen.clear();
  times.clear();
  weights.clear();
  lines = bad_rows = below_threshold = comments = headers = 0;
  open_end = false;
  shown.clear();
  failure.reset();
  copies_.clear();
}

void parse_in_chunks(const ChunkPlan& plan, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                     Threads& threads, LogBuilder& log) {
  Rounds(plan, parse, threads, log).run();
}

}  // namespace evenkeel::data
