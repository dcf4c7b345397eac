// The raw log. In: rows of a file; out: numbered users and items, each pair once, with its time
// where one was asked for, and an account of what was read and what was dropped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/threads.h"
#include "base/types.h"
#include "data/ids.h"

namespace evenkeel::data {

struct BadRow {
  std::string file;
  std::uint64_t line = 0;  // from 1
  std::string reason;
};

inline constexpr std::size_t kShownBadRows = 10;

// The columns of a table, by name or index; empty where there is none.
struct ReadColumns {
  std::string user, item, rating, time, weight;
  bool rating_read = false, time_read = false;  // otherwise found and left alone
};

struct ReadReport {
  std::string format;            // the reader that read it, e.g. "delimited (comma, header)"
  ReadColumns columns;           // of the first table that was read
  std::uint64_t bytes = 0;       // of text, unpacked
  std::uint64_t lines = 0;       // all lines, also headers and empty ones
  std::uint64_t bad_rows = 0;    // skipped
  std::uint64_t duplicates = 0;  // merged into an earlier row of the same pair
  std::uint64_t below_threshold = 0;
  std::uint64_t comments = 0;       // lines that begin with #
  std::uint64_t headers = 0;        // the header again, where files were joined
  std::vector<std::string> doubts;  // how lines were read that could mean something else
  double seconds = 0;
  std::vector<BadRow> shown;  // the first ten bad rows
};

struct Interactions {
  Ids users, items;                 // in order of first appearance
  std::vector<Pair> pairs;          // in file order
  std::vector<double> times;        // empty, or one for each pair
  std::vector<float> weights = {};  // the same: how much it counts
  // Rows below --min-rating: they never train, but lists for people leave them out. Pairs of users
  // and items that have a row anyway, repeats included.
  std::vector<Pair> seen = {};
  ReadReport report = {};
};

// Keeps the first row of each pair and gives it the earliest of their times. Weights add up.
void merge_duplicates(Interactions& log);

// After reading, rows that stand in `seen` alone have numbers, too: numbers all rows anew by the
// pairs of `lists`, list after list, and keeps of `seen` what has a user and an item among them.
// `all_ids`: users and items that are left come behind the others instead.
void number_without_seen(Interactions& log, std::span<std::vector<Pair>* const> lists,
                         bool all_ids = false);

}  // namespace evenkeel::data
