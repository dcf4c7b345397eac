// In: a log that may repeat pairs. Out: each pair once, in the order of first appearance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/threads.h"
#include "base/types.h"
#include "data/interactions.h"

namespace evenkeel::data {

// What a pair weighs whose rows have weights.
enum class RepeatWeights { kAdd, kLargest };

// The user of a row that repeats an earlier pair, once that is known.
inline constexpr Row kRepeated = std::numeric_limits<Row>::max();

// Gives every row that repeats an earlier one the user kRepeated, and the first row of each pair
// the earliest of their times (there may be none). Returns how many rows were marked.
std::uint64_t mark_duplicates(std::span<Pair> pairs, std::span<double> times, std::size_t users,
                              std::size_t items, Threads& threads);

// The same, and drops them.
std::uint64_t merge_duplicates(std::vector<Pair>& pairs, std::vector<double>& times,
                               std::size_t users, std::size_t items, Threads& threads);

void merge_duplicates(Interactions& log, Threads& threads,
                      RepeatWeights repeats = RepeatWeights::kAdd);

// What is left of a marked log. In: places among the rows that stay; out: their values. The log
// must outlive it.
class KeptRows {
 public:
  KeptRows(std::span<const Pair> pairs, Threads& threads);

  std::uint64_t size() const { return starts_.back(); }
  // `values` has one for each row of the log; `out` takes those of the places from `first` on.
  template <typename T>
  void copy(std::span<const T> values, std::uint64_t first, std::span<T> out) const {
    const auto stretch = std::upper_bound(starts_.begin(), starts_.end(), first) - 1;
    auto row = static_cast<std::size_t>(stretch - starts_.begin()) * kStretch;
    for (std::uint64_t place = *stretch; place < first; ++row) place += kept(row);
    for (std::size_t n = 0; n < out.size(); ++row) {
      out[n] = values[row];
      n += kept(row);
    }
  }

 private:
  static constexpr std::size_t kStretch = std::size_t{1} << 14;
  std::size_t kept(std::size_t row) const { return pairs_[row].user != kRepeated ? 1 : 0; }
  std::span<const Pair> pairs_;
  std::vector<std::uint64_t> starts_;  // places before each stretch of rows, and the end
};

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
