// Turns a batch around. In: the row of every entry of a batch (264,000 at 2048 x 129); out: for
// each distinct row the samples whose entries name it, in their order, so that its gradient is
// summed once, in one place and always in the same order; and the entries by cells that fit the
// cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cells.h"

namespace evenkeel {

class Grouping {
 public:
  struct Layout {
    std::size_t width = 1;  // entries of a sample
    // Entries are taken in chunks, of whole samples; groups do not depend on it, only cells do.
    std::size_t chunk = 4096;
    std::size_t kept_places = 0;  // of a sample's first entries: see places_of()
    std::size_t samples() const { return chunk / width; }
  };
  static constexpr std::size_t kMostRows = 512;  // of a bucket: its counters stay in L1
  Grouping(std::size_t rows, std::size_t most_entries, Layout layout);

  // A batch, in this order: begin(); count() of every chunk; open(); place() of every chunk;
  // list() of every bucket, after which its rows are known; order(), after which their entries are,
  // best right before they are read. Chunks, and later buckets, may be taken by several threads.
  std::size_t begin(std::span<const Row> row_of_entry);  // returns the number of chunks
  void count(std::size_t chunk);
  void open();
  void place(std::size_t chunk);
  void list(std::size_t bucket);
  void order(std::size_t bucket);

  // Rows are cut into buckets of neighbours: the unit of parallel work.
  std::size_t buckets() const { return buckets_; }
  std::span<const Row> rows(std::size_t bucket) const {
    return {rows_.data() + first_entry_[bucket], distinct_[bucket]};
  }

  std::size_t bucket_rows() const { return std::size_t{1} << bits_; }  // all but the last

  // The entries of the bucket's k-th distinct row stand from starts()[k] to starts()[k + 1].
  const std::uint32_t* starts(std::size_t bucket) const {
    return starts_.data() + first_entry_[bucket] + bucket;
  }
  std::size_t entries_before(std::size_t bucket) const { return first_entry_[bucket]; }
  const std::uint32_t* samples() const { return sorted_.data(); }  // ascending within a row
  const std::uint32_t* places() const { return places_.data(); }   // in the order of the cells
  std::span<const std::uint32_t> samples(std::size_t bucket, std::size_t k) const {
    const std::uint32_t* start = starts(bucket) + k;
    return {sorted_.data() + start[0], start[1] - start[0]};
  }

  // The entries of one chunk that name rows of one bucket, by sample; they stand at
  // [place, place + size) in the order of all cells, bucket by bucket and chunk by chunk.
  struct Cell {
    std::span<const kernels::CellEntry> entries;
    std::size_t place;
  };
  Cell cell(std::size_t chunk, std::size_t bucket) const {
    const std::size_t begin =
        chunk == 0 ? first_entry_[bucket] : cell_ends_[(chunk - 1) * buckets_ + bucket];
    const std::size_t end = cell_ends_[chunk * buckets_ + bucket];
    return {{tagged_.data() + begin, end - begin}, begin};
  }

  // Where the sample's first entries, as many as are kept, stand in the order of all cells.
  const std::uint32_t* places_of(std::size_t sample) const {
    return kept_places_.data() + sample * layout_.kept_places;
  }

 private:
  std::size_t chunks() const { return (row_of_entry_.size() + layout_.chunk - 1) / layout_.chunk; }
  std::size_t chunk_end(std::size_t chunk) const {
    return std::min(row_of_entry_.size(), (chunk + 1) * layout_.chunk);
  }
  bool few(std::size_t bucket) const;
  void list_many(std::size_t bucket);
  void list_few(std::size_t bucket);
  template <typename Visit>
  void each_entry(std::size_t bucket, Visit visit) const;

  Layout layout_;
  std::size_t bits_;  // of a row number inside its bucket
  std::size_t buckets_;
  std::span<const Row> row_of_entry_;
  std::vector<std::uint32_t> cell_ends_;    // [chunk][bucket]; first counts, then next places
  std::vector<std::uint32_t> first_entry_;  // by bucket
  std::vector<std::uint32_t> distinct_;     // by bucket
  std::vector<kernels::CellEntry> tagged_;  // entries by bucket
  std::vector<std::uint32_t> kept_places_;  // in tagged_, of each sample's first entries
  std::vector<std::uint32_t> sorted_;       // samples of the entries by row
  std::vector<std::uint32_t> places_;       // of the sorted entries in tagged_
  std::vector<Row> rows_;                   // distinct rows, from first_entry_ of their bucket
  std::vector<std::uint32_t> starts_;       // of each distinct row in sorted_, and a bucket's end
};

}  // namespace evenkeel
