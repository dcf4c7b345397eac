// Rows that a batch names once, in a stretch of its entries. In: entries that name them; out:
// their rows, ready to catch up before the loss and to be moved after it. Nobody else in the batch
// reads such a row, so whoever works on the entry does both while row and moments are in its cache.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/types.h"
#include "rows/grouping.h"

namespace evenkeel::rows {

class SingletonRows {
 public:
  explicit SingletonRows(std::size_t most) : rows_(most), entries_(most), starts_(most + 1) {
    std::iota(starts_.begin(), starts_.end(), 0U);
  }

  // Of entries [first, first + rows.size()), which name these rows.
  void select(const Grouping& groups, std::size_t first, std::span<const Row> rows) {
    count_ = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // Written always, kept only if it is a singleton: no branch to mispredict.
      rows_[count_] = rows[k];
      entries_[count_] = static_cast<std::uint32_t>(first + k);
      count_ += groups.is_singleton(first + k) ? 1 : 0;
    }
  }

  std::span<const Row> rows() const { return {rows_.data(), count_}; }
  std::span<const std::uint32_t> entries() const { return {entries_.data(), count_}; }
  const std::uint32_t* starts() const { return starts_.data(); }  // one entry per row

 private:
  std::vector<Row> rows_;
  std::vector<std::uint32_t> entries_, starts_;
  std::size_t count_ = 0;
};

}  // namespace evenkeel::rows
