// Turns a batch around. In: the row of every entry of a batch (264,000 at 2048 x 129); out: for
// each distinct row the samples whose entries name it, in their order, so that its gradient is
// summed once, in one place and always in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/row_buckets.h"
#include "base/types.h"

namespace evenkeel::rows {

class Grouping {
 public:
  struct Layout {
    std::size_t width = 1;  // entries of a sample
    bool weighted = false;  // entries have weights: set_weights() must be called
    // Rows with a single entry are left out of all lists: is_singleton() names them. For width 1.
    bool separate_singletons = false;
  };
  static constexpr std::size_t kMostRows = std::size_t{1} << kMostBucketBits;  // of a bucket
  Grouping(std::size_t rows, std::size_t most_entries, Layout layout);

  // A batch, in this order: a radix sort whose passes are calls, so that threads can share each of
  // them (begin() and prefix_sums() are for one thread). Debug builds assert the order.
  std::size_t begin(std::span<const Row> row_of_entry);  // returns the number of chunks
  void count_chunk(std::size_t chunk);                   // of every chunk
  void prefix_sums();
  void scatter_chunk(std::size_t chunk);  // of every chunk
  void collect_rows(std::size_t bucket);  // of every bucket: then its rows are known
  // The weights of all entries of some samples. Many at a time: in a bucket's stretch they then
  // fill whole lines.
  void set_weights(std::size_t first_sample, std::span<const float> weights);
  void sort_bucket(std::size_t bucket);  // then its entries are known; best right before use

  // Rows are cut into buckets of neighbours: the unit of parallel work.
  std::size_t buckets() const { return buckets_; }
  std::size_t bucket_rows() const { return std::size_t{1} << bits_; }
  std::span<const Row> rows(std::size_t bucket) const {
    return {rows_.data() + first_entry_[bucket], distinct_[bucket]};
  }

  // The entries of the bucket's k-th distinct row stand from starts()[k] to starts()[k + 1].
  const std::uint32_t* starts(std::size_t bucket) const {
    return starts_.data() + first_entry_[bucket] + bucket;
  }
  std::size_t entries_before(std::size_t bucket) const { return first_entry_[bucket]; }
  const std::uint32_t* samples() const { return sorted_.data(); }  // ascending within a row
  bool separate_singletons() const { return layout_.separate_singletons; }
  // After collect_rows(), where singletons are apart: whether the entry is the only one of its row.
  bool is_singleton(std::size_t entry) const { return singleton_[entry] != 0; }
  // In the same order; null where entries have none.
  const float* weights() const { return layout_.weighted ? weights_.data() : nullptr; }
  std::span<const std::uint32_t> samples(std::size_t bucket, std::size_t k) const {
    const std::uint32_t* start = starts(bucket) + k;
    return {sorted_.data() + start[0], start[1] - start[0]};
  }

 private:
  // Rows count from the bucket's first and samples from the chunk's.
  struct Entry {
    std::uint32_t row : 10;
    std::uint32_t sample : 22;
  };
  std::size_t chunk() const { return chunk_samples_ * layout_.width; }
  std::size_t chunks() const { return (row_of_entry_.size() + chunk() - 1) / chunk(); }
  std::size_t chunk_end(std::size_t chunk_number) const {
    return std::min(row_of_entry_.size(), (chunk_number + 1) * chunk());
  }
  bool few(std::size_t bucket) const;
  // Entries that a row must have to be listed.
  std::uint32_t least() const { return layout_.separate_singletons ? 2 : 1; }
  void collect_many(std::size_t bucket);
  void collect_few(std::size_t bucket);
  void sort_few(std::size_t bucket);
  template <bool kWeighted>
  void sort_many(std::size_t bucket);
  // visit(k, sample) for the bucket's entries, which stand at k in entries_.
  template <typename Visit>
  void each_entry(std::size_t bucket, Visit visit) const;

  enum class Phase { kIdle, kCounting, kScattering };  // from begin(), from prefix_sums()

  Layout layout_;
  Phase phase_ = Phase::kIdle;
  std::size_t chunk_samples_;  // counted and scattered together
  std::size_t bits_;           // of a row number inside its bucket
  std::size_t buckets_;
  std::span<const Row> row_of_entry_;
  std::vector<std::uint32_t> chunk_ends_;   // [chunk][bucket]; first counts, then next places
  std::vector<std::uint32_t> first_entry_;  // by bucket
  std::vector<std::uint32_t> distinct_;     // by bucket
  std::vector<Entry> entries_;              // by bucket, in their order
  std::vector<std::uint32_t> places_;       // in entries_, of each sample's entries
  std::vector<float> placed_;               // weights of entries_
  std::vector<std::uint32_t> sorted_;       // samples of the entries by row
  std::vector<float> weights_;              // of the entries by row
  std::vector<Row> rows_;                   // distinct rows, from first_entry_ of their bucket
  std::vector<std::uint32_t> starts_;       // of each distinct row in sorted_, and the last's end
  std::vector<std::uint8_t> singleton_;     // by entry
};

}  // namespace evenkeel::rows
