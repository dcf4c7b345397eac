// In: a log that may repeat pairs. Out: each pair once, in the order of first appearance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.h"
#include "base/types.h"
#include "data/interactions.h"

namespace evenkeel::data {

// What a pair weighs whose rows have weights.
enum class RepeatWeights { kAdd, kLargest };

// Keeps the first row of each pair and gives it the earliest of their times (there may be none).
// Returns how many rows were dropped.
std::uint64_t merge_duplicates(std::vector<Pair>& pairs, std::vector<double>& times,
                               std::size_t users, std::size_t items, Threads& threads);

void merge_duplicates(Interactions& log, Threads& threads,
                      RepeatWeights repeats = RepeatWeights::kAdd);

// The same for pairs that lie elsewhere: a share of the log that holds all rows of its users.
struct LogRow {
  Row user, item;
  std::uint64_t row;  // of the log
};

// Finds what repeats in such shares, one after another.
class RepeatFinder {
 public:
  explicit RepeatFinder(std::size_t items) : last_(items) {}

  // `rows` in log order; `found` is called with the place of a row and that of the
  // first one of its pair. Users u, with
  // u % step the same for all of the share, are told apart by u / step.
  template <typename Found>
  void find(std::span<const LogRow> rows, std::size_t users, std::size_t step, Found found) {
    group(rows, users, step);
    for (const std::uint32_t n : order_) {
      const LogRow& now = rows[n];
      std::uint32_t& last = last_[now.item];
      // What an earlier share left behind is another pair, or not behind `n`.
      const bool again = last < n && rows[last].user == now.user && rows[last].item == now.item;
      if (again) {
        found(n, last);
      } else {
        last = n;
      }
    }
  }

 private:
  void group(std::span<const LogRow> rows, std::size_t users, std::size_t step);

  std::vector<std::uint32_t> last_;   // of each item: where it came last
  std::vector<std::uint32_t> order_;  // rows by user, in log order inside
  std::vector<std::uint32_t> next_;
};

}  // namespace evenkeel::data
