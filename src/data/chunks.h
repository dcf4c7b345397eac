// The parallel half of every reader. In: a text and a function that parses a piece of it with its
// own id numbers; out: the pieces joined in file order, so that numbering ignores the thread count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/threads.h"
#include "data/interactions.h"
#include "data/text_file.h"

namespace evenkeel::data {

// What one piece of the file holds.
struct ParsedChunk {
  Ids users, items;
  std::vector<Pair> pairs;
  std::vector<double> times;
  std::uint64_t lines = 0, bad_rows = 0, below_threshold = 0, comments = 0, headers = 0;
  bool open_end = false;          // the last row may go on in the next piece
  std::vector<BadRow> shown;      // lines counted from the chunk's start
  std::optional<BadRow> failure;  // the row that ends the reading
  bool skip_bad_rows = false;

  // Notes a bad row; false when reading must stop.
  bool bad_row(std::uint64_t line, std::string reason);
};

struct ChunkPlan {
  std::string path;  // for errors
  std::string_view text;
  std::uint64_t first_line = 1;  // the number of the text's first line in the file
  bool skip_bad_rows = false;
  std::size_t piece_bytes = 0;  // 0: by thread count; tests set it small
};

// Appends everything to `log`; throws the data error of the first bad row in file order.
void parse_in_chunks(const ChunkPlan& plan, FunctionRef<void(LineCursor&, ParsedChunk&)> parse,
                     Threads& threads, Interactions& log);

}  // namespace evenkeel::data
