// What a delimited file looks like. In: its first lines and the user's words; out: separator,
// header, and which column holds what. A column that is not there is an error that names the
// others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/fields.h"
#include "data/reader.h"

namespace evenkeel::data {

struct Layout {
  Separator separator;
  bool header = false;
  std::vector<std::string> names;  // of the header; empty without one
  std::string_view header_line;    // as it stands in the file: joined files repeat it
  std::size_t width = 0;           // columns
  std::size_t user = 0, item = 1;
  std::optional<std::size_t> rating, time, weight;    // to be read
  std::optional<std::size_t> idle_rating, idle_time;  // found, but nothing asks for them
  bool comments = false;                              // lines that begin with # may be comments
  std::uint64_t comments_above = 0;                   // those above the header or the first row
  std::string_view body;                              // the text behind the header
  std::uint64_t first_line = 1;                       // the body's first line in the file

  std::string column_name(std::size_t column) const;  // for errors

  // A line that begins with # and is no row: it does not cut into the table's columns or, without a
  // header to say that rows begin here, has a blank behind the #.
  bool is_comment(std::string_view line) const;
};

// Types behind the header's names (`user_id:token`) and no quotes: RecBole's .inter.
Layout detect_layout(const TextFile& file, const ReadOptions& options, bool typed_header);

bool has_typed_header(std::string_view text);

}  // namespace evenkeel::data
