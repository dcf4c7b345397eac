// In: a log that may repeat pairs. Out: each pair once, in the order of first appearance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/error.h"
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

// A row on its way to a share, which holds all rows of its users. Users of a share differ above
// `shift` bits.
struct LogRow {
  Row user, item;
  std::uint64_t row;  // of the log
};
struct WholeRows {
  using Entry = LogRow;
  unsigned shift;
  Entry pack(Pair pair, std::uint64_t row) const { return {pair.user, pair.item, row}; }
  std::size_t user(const Entry& entry) const { return entry.user >> shift; }
  Row item(const Entry& entry) const { return entry.item; }
  std::uint64_t row(const Entry& entry) const { return entry.row; }
};
// The same in eight bytes, where numbers are small enough: what is moved is what takes the time.
struct PackedRows {
  using Entry = std::uint64_t;
  unsigned shift, item_bits, row_bits;
  Entry pack(Pair pair, std::uint64_t row) const {
    return (std::uint64_t{pair.user >> shift} << item_bits | pair.item) << row_bits | row;
  }
  std::size_t user(Entry entry) const { return entry >> row_bits >> item_bits; }
  Row item(Entry entry) const {
    return static_cast<Row>(entry >> row_bits & ((std::uint64_t{1} << item_bits) - 1));
  }
  std::uint64_t row(Entry entry) const { return entry & ((std::uint64_t{1} << row_bits) - 1); }
};

// Finds what repeats in shares, one after another.
class RepeatFinder {
 public:
  // Whoever keeps something of repeats asks for the first row of their pair as well.
  RepeatFinder(std::size_t items, bool tell_first)
      : seen_(items / 64 + 1), first_(tell_first ? items : 0) {}

  // `rows` in log order; `found` is called with the place of a row and that of the first one of its
  // pair (0 if it was not asked for). `users`: of the share.
  template <typename Rows, typename Found>
  void find(const Rows& layout, std::span<const typename Rows::Entry> rows, std::size_t users,
            Found found) {
    group(layout, rows, users);
    std::uint32_t begin = 0;
    for (std::size_t u = 0; u < users; ++u) {
      const std::uint32_t end = ends_[u];
      if (end - begin > 1) search({by_user_.data() + begin, end - begin}, found);
      begin = end;
    }
  }

 private:
  struct Placed {
    Row item;
    std::uint32_t place;
  };

  // Rows by user, in log order inside.
  template <typename Rows>
  void group(const Rows& layout, std::span<const typename Rows::Entry> rows, std::size_t users) {
    EVENKEEL_CHECK(rows.size() < std::numeric_limits<std::uint32_t>::max());
    ends_.assign(users + 1, 0);
    by_user_.resize(std::max(by_user_.size(), rows.size()));
    for (const auto& row : rows) ++ends_[layout.user(row) + 1];
    for (std::size_t u = 1; u <= users; ++u) ends_[u] += ends_[u - 1];
    for (std::uint32_t n = 0; n < rows.size(); ++n) {
      by_user_[ends_[layout.user(rows[n])]++] = {layout.item(rows[n]), n};
    }
  }

  // The rows of one user. A bit for each item fits the caches where a number would not.
  template <typename Found>
  void search(std::span<const Placed> rows, Found& found) {
    for (const Placed& row : rows) {
      std::uint64_t& word = seen_[row.item / 64];
      const std::uint64_t bit = std::uint64_t{1} << (row.item % 64);
      if ((word & bit) != 0) {
        found(row.place, first_.empty() ? 0 : first_[row.item]);
      } else {
        word |= bit;
        if (!first_.empty()) first_[row.item] = row.place;
      }
    }
    for (const Placed& row : rows) seen_[row.item / 64] = 0;
  }

  std::vector<std::uint64_t> seen_;   // a bit for each item of the user that is looked at
  std::vector<std::uint32_t> first_;  // of those, if asked for: where it came first
  std::vector<std::uint32_t> ends_;   // of users
  std::vector<Placed> by_user_;
};

}  // namespace evenkeel::data
