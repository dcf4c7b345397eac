// In: rows of entries. Out: entries by row, by a stable radix pass into buckets and a counting sort
// inside each. Chunks and buckets have fixed sizes, so the result does not know the thread count.
#include "train/grouping.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace evenkeel {
namespace {

constexpr std::size_t kMostBits = 9;  // 512 rows: the counters of a bucket stay in L1
constexpr std::size_t kMostRows = std::size_t{1} << kMostBits;
constexpr std::size_t kWantedBuckets = 64;  // enough pieces of work for many threads

// Few rows make small buckets, so that a small catalogue is still shared among threads.
std::size_t bits_for(std::size_t rows) {
  std::size_t bits = 3;
  while (bits < kMostBits && (rows >> bits) > kWantedBuckets) ++bits;
  return bits;
}
constexpr std::size_t kChunk = 16384;  // entries

}  // namespace

Grouping::Grouping(std::size_t rows, std::size_t most_entries)
    : bits_(bits_for(rows)),
      buckets_((rows + (std::size_t{1} << bits_) - 1) >> bits_),
      counts_(((most_entries + kChunk - 1) / kChunk) * buckets_),
      first_entry_(buckets_ + 1),
      distinct_(buckets_),
      tagged_(most_entries),
      sorted_(most_entries),
      rows_(most_entries),
      starts_(most_entries) {}

void Grouping::build(std::span<const Row> row_of_entry, Threads& threads) {
  const std::size_t size = row_of_entry.size();
  EVENKEEL_CHECK(size <= sorted_.size());
  const std::size_t chunks = (size + kChunk - 1) / kChunk;
  threads.for_chunks(size, kChunk, [&](std::size_t begin, std::size_t end, int) {
    std::uint32_t* counts = counts_.data() + begin / kChunk * buckets_;
    std::fill(counts, counts + buckets_, 0);
    for (std::size_t e = begin; e < end; ++e) ++counts[row_of_entry[e] >> bits_];
  });
  std::uint32_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    first_entry_[bucket] = total;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      std::uint32_t& count = counts_[chunk * buckets_ + bucket];
      const std::uint32_t here = count;
      count = total;
      total += here;
    }
  }
  first_entry_[buckets_] = total;
  threads.for_chunks(size, kChunk, [&](std::size_t begin, std::size_t end, int) {
    std::uint32_t* next = counts_.data() + begin / kChunk * buckets_;
    for (std::size_t e = begin; e < end; ++e) {
      const Row row = row_of_entry[e];
      tagged_[next[row >> bits_]++] = {row, static_cast<std::uint32_t>(e)};
    }
  });
  threads.for_chunks(buckets_, 1,
                     [&](std::size_t bucket, std::size_t, int) { sort_bucket(bucket); });
}

void Grouping::sort_bucket(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  const std::uint32_t low_bits = (1U << bits_) - 1;
  std::array<std::uint32_t, kMostRows> next{};
  for (std::uint32_t k = begin; k < end; ++k) ++next[tagged_[k].row & low_bits];
  std::uint32_t place = begin, distinct = 0;
  for (std::size_t low = 0; low <= low_bits; ++low) {
    if (next[low] == 0) continue;
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + low);
    starts_[begin + distinct] = place;
    ++distinct;
    const std::uint32_t count = next[low];
    next[low] = place;
    place += count;
  }
  distinct_[bucket] = distinct;
  for (std::uint32_t k = begin; k < end; ++k) {
    sorted_[next[tagged_[k].row & low_bits]++] = tagged_[k].entry;
  }
}

}  // namespace evenkeel
