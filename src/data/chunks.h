// The parallel half of every reader. In: a text and a function that takes the pairs out of a piece
// of it; out: the pairs in file order, numbered by first appearance at any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/threads.h"
#include "data/log_builder.h"
#include "data/text_file.h"

namespace evenkeel::data {

// What one piece of the file holds: rows of the ids that came in earlier rounds, and tokens by
// shard, for each side, of those that may be new.
struct ParsedChunk {
  std::vector<Pair> rows;  // at least as many as there are pairs; IdTable::kNoRow where a token is
  std::vector<std::vector<IdToken>> users, items;
  std::uint32_t pairs = 0;
  std::vector<std::uint32_t> seen;  // those of them below --min-rating
  std::vector<double> times;
  std::vector<float> weights;
  std::uint64_t lines = 0, bad_rows = 0, below_threshold = 0, comments = 0, headers = 0;
  bool open_end = false;          // the last row may go on in the next piece
  std::vector<BadRow> shown;      // lines counted from the chunk's start
  std::optional<BadRow> failure;  // the row that ends the reading
  bool skip_bad_rows = false;

  // The views must live as long as the file; what does not is kept with keep().
  void add(std::string_view user, std::string_view item) {
    if (pairs >= kAhead) look_up(pairs - kAhead);
    ask_for(user, *known_users_, ahead_[pairs % kAhead].user);
    ask_for(item, *known_items_, ahead_[pairs % kAhead].item);
    ++pairs;
  }
  // A row below --min-rating; it has no time and no weight.
  void add_seen(std::string_view user, std::string_view item) {
    ++below_threshold;
    seen.push_back(pairs);
    add(user, item);
  }
  void finish();  // all pairs were added
  bool has_tokens() const;
  std::string_view keep(std::string_view text) { return copies_.emplace_back(text); }

  // Notes a bad row; false when reading must stop.
  bool bad_row(std::uint64_t line, std::string reason);

  // Ready for the next piece; ids are sought in these tables.
  void clear(std::string_view piece, const IdTable& known_users, const IdTable& known_items);

 private:
  static constexpr std::uint32_t kAhead = 32;  // pairs whose slots are on their way
  struct Asked {
    IdToken token;
    std::uint64_t hash;
  };
  struct AskedPair {
    Asked user, item;
  };

  void ask_for(std::string_view text, const IdTable& known, Asked& asked) const {
    asked.token = may_read_on(text) ? id_token_of_readable(text, pairs) : id_token(text, pairs);
    asked.hash = hash_of(asked.token);
    known.prefetch(asked.hash);
  }
  // Most texts lie in the piece, where more follows; copies and the last ones do not.
  bool may_read_on(std::string_view text) const {
    const std::size_t place = reinterpret_cast<std::uintptr_t>(text.data()) -
                              reinterpret_cast<std::uintptr_t>(piece_.data());
    return std::endian::native == std::endian::little && place < piece_.size() &&
           piece_.size() - place >= kInlineId;
  }
  void look_up(std::uint32_t pair) {
    if (pair == rows.size()) rows.resize(std::max<std::size_t>(4096, rows.size() * 2));
    const AskedPair& asked = ahead_[pair % kAhead];
    rows[pair] = {row_of(asked.user, *known_users_, users),
                  row_of(asked.item, *known_items_, items)};
  }
  static Row row_of(const Asked& asked, const IdTable& known,
                    std::vector<std::vector<IdToken>>& fresh) {
    const Row row = known.known(asked.token, asked.hash);
    if (row == IdTable::kNoRow) {
      fresh[IdTable::shard_of(asked.hash, fresh.size())].push_back(asked.token);
    }
    return row;
  }

  std::string_view piece_;
  const IdTable *known_users_ = nullptr, *known_items_ = nullptr;
  std::array<AskedPair, kAhead> ahead_;
  std::deque<std::string> copies_;
};

struct ChunkPlan {
  std::string path;  // for errors
  std::string_view text;
  std::uint64_t first_line = 1;  // the number of the text's first line in the file
  bool skip_bad_rows = false;
  std::size_t piece_bytes = 0;  // 0: what caches like; tests set it small
};

// Appends everything to `log`; throws the data error of the first bad row in file order.
void parse_in_chunks(const ChunkPlan& plan, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                     Threads& threads, LogBuilder& log);

}  // namespace evenkeel::data
