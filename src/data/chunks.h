// The parallel half of every reader. In: a text and a function that takes the pairs out of a piece
// of it; out: the pairs in file order, numbered by first appearance at any number of threads.
#pragma once

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

// What one piece of the file holds: tokens by shard, for each side.
struct ParsedChunk {
  std::vector<std::vector<IdToken>> users, items;
  std::uint32_t pairs = 0;
  std::vector<double> times;
  std::vector<float> weights;
  std::uint64_t lines = 0, bad_rows = 0, below_threshold = 0, comments = 0, headers = 0;
  bool open_end = false;          // the last row may go on in the next piece
  std::vector<BadRow> shown;      // lines counted from the chunk's start
  std::optional<BadRow> failure;  // the row that ends the reading
  bool skip_bad_rows = false;

  // The views must live as long as the file; what does not is kept with keep().
  void add(std::string_view user, std::string_view item) {
    put(user, users);
    put(item, items);
    ++pairs;
  }
  std::string_view keep(std::string_view text) { return copies_.emplace_back(text); }

  // Notes a bad row; false when reading must stop.
  bool bad_row(std::uint64_t line, std::string reason);

  void clear(std::size_t shards);  // ready for the next piece

 private:
  void put(std::string_view text, std::vector<std::vector<IdToken>>& side) const {
    const IdToken token = id_token(text, pairs);
    side[IdTable::shard_of(token, side.size())].push_back(token);
  }
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
