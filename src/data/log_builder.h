// A log while files are read into it. In: pieces of files, one after another; out: interactions
// with rows numbered by first appearance. Ids and unclear lines go on from file to file.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/threads.h"
#include "base/types.h"
#include "data/id_table.h"
#include "data/interactions.h"

namespace evenkeel::data {

struct LogBuilder {
  explicit LogBuilder(const Threads& threads);

  IdTable users, items;
  std::vector<Pair> pairs;     // in file order, repeats included
  std::vector<double> times;   // empty, or one for each pair
  std::vector<float> weights;  // the same
  std::uint64_t read = 0;      // pairs so far, also those that were taken away
  std::vector<Pair> seen;      // rows below --min-rating
  ReadReport report;
  // Called whenever pairs have come; may take them away to keep memory small.
  std::function<void(LogBuilder&)> drain;

  // For readers of small things: one pair at a time.
  void add(std::string_view user, std::string_view item);

  // Repeats are still there; with rows in `seen`, number_without_seen() must follow.
  Interactions take(Threads& threads);
};

}  // namespace evenkeel::data
