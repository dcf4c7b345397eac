// In: pieces of text, parsed side by side, a round of them at a time. Out: one log in file order
// with rows numbered by first appearance.
#include "data/chunks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/huge_pages.h"

namespace evenkeel::data {
namespace {

// The tokens of a round (about four times its text) stay in the caches of the cores.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kPiecesOfThread = 4;

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
        bytes_(plan.piece_bytes > 0 ? plan.piece_bytes : kPieceBytes),
        chunks_(static_cast<std::size_t>(threads.count()) * kPiecesOfThread) {}

  void run() {
    std::size_t first_bytes = bytes_;  // of the first piece of the round
    while (!left_.empty()) {
      cut(first_bytes);
      threads_.for_chunks(pieces_.size(), 1, [&](std::size_t c, std::size_t, int) {
        chunks_[c].clear(log_.users.shards());
        chunks_[c].skip_bad_rows = plan_.skip_bad_rows;
        parse_piece(pieces_[c], parse_, chunks_[c]);
      });
      // A row that goes on beyond its piece: the piece is parsed again, twice as long. Pieces
      // before it are as they would be in one.
      std::size_t good = 0;
      while (good < pieces_.size() && (!chunks_[good].open_end || is_last(good))) ++good;
      first_bytes = good > 0 ? bytes_ : first_bytes * 2;
      take(good);
    }
    log_.report.lines += before_;
    log_.report.bytes += plan_.text.size();
  }

 private:
  void cut(std::size_t first_bytes) {
    pieces_.clear();
    for (std::string_view rest = left_; !rest.empty() && pieces_.size() < chunks_.size();) {
      pieces_.push_back(first_piece(rest, pieces_.empty() ? first_bytes : bytes_));
      rest.remove_prefix(pieces_.back().size());
    }
  }

  bool is_last(std::size_t piece) const {
    return pieces_[piece].data() + pieces_[piece].size() == left_.data() + left_.size();
  }

  // The first `count` pieces of the round go into the log.
  void take(std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) {
      account(chunks_[c]);
      left_.remove_prefix(pieces_[c].size());
    }
    intern(count);
    for (std::size_t c = 0; c < count; ++c) {
      log_.times.insert(log_.times.end(), chunks_[c].times.begin(), chunks_[c].times.end());
      log_.weights.insert(log_.weights.end(), chunks_[c].weights.begin(), chunks_[c].weights.end());
    }
    EVENKEEL_CHECK(log_.times.empty() || log_.times.size() == log_.pairs.size());
    EVENKEEL_CHECK(log_.weights.empty() || log_.weights.size() == log_.pairs.size());
    if (log_.drain) log_.drain(log_);
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

  void intern(std::size_t count) {
    const std::size_t shards = log_.users.shards();
    std::vector<std::uint64_t> starts(count + 1, log_.pairs.size());
    for (std::size_t c = 0; c < count; ++c) starts[c + 1] = starts[c] + chunks_[c].pairs;
    const auto side_of = [&](ParsedChunk& chunk, std::size_t side, std::size_t s) {
      return std::span<IdToken>(side == 0 ? chunk.users[s] : chunk.items[s]);
    };
    const auto table = [&](std::size_t side) -> IdTable& {
      return side == 0 ? log_.users : log_.items;
    };
    threads_.for_chunks(2 * shards, 1, [&](std::size_t n, std::size_t, int) {
      for (std::size_t c = 0; c < count; ++c) {
        table(n / shards)
            .look_up(n % shards, side_of(chunks_[c], n / shards, n % shards), starts[c]);
      }
    });
    threads_.for_chunks(2, 1, [&](std::size_t side, std::size_t, int) {
      table(side).number();
      for (std::size_t s = 0; s < shards; ++s) table(side).settle(s);
    });
    make_room(starts[count]);
    log_.pairs.resize(starts[count]);
    threads_.for_chunks(count, 1, [&](std::size_t c, std::size_t, int) {
      Pair* const out = log_.pairs.data() + starts[c];
      for (std::size_t s = 0; s < shards; ++s) {
        for (const IdToken& token : chunks_[c].users[s]) {
          out[token.at].user = log_.users.row(s, token);
        }
        for (const IdToken& token : chunks_[c].items[s]) {
          out[token.at].item = log_.items.row(s, token);
        }
      }
    });
    log_.users.end_round();
    log_.items.end_round();
    log_.read += starts[count] - starts[0];
  }

  // Once for the whole file, by what has been read of it: growing step by step would copy.
  void make_room(std::uint64_t pairs) {
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
  std::vector<ParsedChunk> chunks_;
  std::vector<std::string_view> pieces_;
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

void ParsedChunk::clear(std::size_t shards) {
  for (auto* side : {&users, &items}) {
    side->resize(shards);
    for (std::vector<IdToken>& tokens : *side) tokens.clear();
  }
  pairs = 0;
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
