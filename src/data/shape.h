// Adjacency or table? In: a text; out: what its first lines are, where no name and no option says
// it.
#pragma once

#include <cstddef>
#include <string_view>

namespace evenkeel::data {

struct Shape {
  enum Kind { kAdjacency, kEither, kTable };
  Kind kind = kEither;
  std::size_t width = 0;     // words, where every line has as many; otherwise 0
  bool blanks_only = false;  // no character that separates columns but spaces
  bool like_items = false;   // of either: more than two words that look alike, each user once
};

// A table for sure is one whose lines all cut into as many columns, and whose first line names a
// user and an item, or whose third and fourth columns hold ratings and times, or whose lines have
// no blanks at all. Adjacency for sure are lines of different lengths.
Shape shape_of(std::string_view text);

}  // namespace evenkeel::data
