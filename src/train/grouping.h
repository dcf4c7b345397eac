// Turns a batch around. In: the row of every entry of a batch (264,000 at 2048 x 129); out: for
// each distinct row the entries that name it, in their order, so that its gradient is summed once,
// in one place and always in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.h"
#include "base/types.h"

namespace evenkeel {

class Grouping {
 public:
  Grouping(std::size_t rows, std::size_t most_entries);

  void build(std::span<const Row> row_of_entry, Threads& threads);

  // Rows are cut into buckets of neighbours: the unit of parallel work.
  std::size_t buckets() const { return buckets_; }
  std::span<const Row> rows(std::size_t bucket) const {
    return {rows_.data() + first_entry_[bucket], distinct_[bucket]};
  }
  // Entries of the k-th distinct row of the bucket, ascending.
  std::span<const std::uint32_t> entries(std::size_t bucket, std::size_t k) const {
    const std::size_t at = first_entry_[bucket] + k;
    const std::uint32_t begin = starts_[at];
    const std::uint32_t end =
        k + 1 < distinct_[bucket] ? starts_[at + 1] : first_entry_[bucket + 1];
    return {sorted_.data() + begin, sorted_.data() + end};
  }

 private:
  struct Tagged {
    Row row;
    std::uint32_t entry;
  };
  void sort_bucket(std::size_t bucket);

  std::size_t bits_;  // of a row number inside its bucket
  std::size_t buckets_;
  std::vector<std::uint32_t> counts_;       // [chunk][bucket], then where the chunk writes
  std::vector<std::uint32_t> first_entry_;  // by bucket
  std::vector<std::uint32_t> distinct_;     // by bucket
  std::vector<Tagged> tagged_;              // entries by bucket
  std::vector<std::uint32_t> sorted_;       // entries by row
  std::vector<Row> rows_;                   // distinct rows, from first_entry_ of their bucket
  std::vector<std::uint32_t> starts_;       // of each distinct row in sorted_
};

}  // namespace evenkeel
