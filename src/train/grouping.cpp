// In: rows of entries. Out: entries by row, by a stable radix pass into buckets and a counting sort
// inside each. Chunks and buckets have fixed sizes, so the result does not know the thread count.
#include "train/grouping.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace evenkeel {
namespace {

constexpr std::size_t kWantedBuckets = 64;  // enough pieces of work for many threads

// Few rows make small buckets, so that a small catalogue is still shared among threads.
std::size_t bits_for(std::size_t rows) {
  std::size_t bits = 3;
  while ((std::size_t{1} << bits) < Grouping::kMostRows && (rows >> bits) > kWantedBuckets) ++bits;
  return bits;
}

// A bucket with no more entries than this is sorted by insertion: cheaper than 512 counters.
constexpr std::uint32_t kFew = 24;

constexpr std::size_t kLine = 64 / sizeof(kernels::CellEntry);

}  // namespace

Grouping::Grouping(std::size_t rows, std::size_t most_entries, std::size_t width, std::size_t chunk)
    : width_(width),
      chunk_(chunk),
      bits_(bits_for(rows)),
      buckets_((rows + (std::size_t{1} << bits_) - 1) >> bits_),
      cell_ends_(((most_entries + chunk - 1) / chunk) * buckets_),
      first_entry_(buckets_ + 1),
      distinct_(buckets_),
      tagged_(most_entries),
      place_of_(most_entries),
      sorted_(most_entries),
      places_(most_entries),
      rows_(most_entries),
      starts_(most_entries + buckets_) {}

std::size_t Grouping::begin(std::span<const Row> row_of_entry) {
  EVENKEEL_CHECK(row_of_entry.size() <= sorted_.size());
  row_of_entry_ = row_of_entry;
  return chunks();
}

void Grouping::count(std::size_t chunk) {
  std::uint32_t* counts = cell_ends_.data() + chunk * buckets_;
  std::fill(counts, counts + buckets_, 0);
  const std::size_t end = chunk_end(chunk);
  for (std::size_t e = chunk * chunk_; e < end; ++e) ++counts[row_of_entry_[e] >> bits_];
}

// Counts become first places.
void Grouping::open() {
  std::uint32_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    first_entry_[bucket] = total;
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      std::uint32_t& count = cell_ends_[chunk * buckets_ + bucket];
      const std::uint32_t here = count;
      count = total;
      total += here;
    }
  }
  first_entry_[buckets_] = total;
}

void Grouping::place(std::size_t chunk) {
  std::uint32_t* next = cell_ends_.data() + chunk * buckets_;
  const std::size_t begin = chunk * chunk_, end = chunk_end(chunk);
  auto sample = static_cast<std::uint32_t>(begin / width_);
  std::size_t left = width_ - begin % width_;
  for (std::size_t e = begin; e < end; ++e) {
    const Row row = row_of_entry_[e];
    const std::uint32_t place = next[row >> bits_]++;
    __builtin_prefetch(tagged_.data() + place + kLine, 1);
    tagged_[place] = kernels::cell_entry(row, sample, left == width_);
    place_of_[e] = place;
    if (--left == 0) {
      ++sample;
      left = width_;
    }
  }
}

void Grouping::sort(std::size_t bucket) {
  const bool few = first_entry_[bucket + 1] - first_entry_[bucket] <= kFew;
  few ? sort_few(bucket) : sort_many(bucket);
}

void Grouping::sort_many(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  const std::uint32_t low_bits = (1U << bits_) - 1;
  std::array<std::uint32_t, kMostRows> next{};
  for (std::uint32_t k = begin; k < end; ++k) {
    if (k % 16 == 0) {
      __builtin_prefetch(&sorted_[k], 1);
      __builtin_prefetch(&places_[k], 1);
    }
    ++next[tagged_[k].row & low_bits];
  }
  std::uint32_t place = begin, distinct = 0;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  for (std::size_t low = 0; low <= low_bits; ++low) {
    // Written always, kept only if the row occurs: no branch to mispredict.
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + low);
    starts[distinct] = place;
    const std::uint32_t count = next[low];
    distinct += count > 0 ? 1 : 0;
    next[low] = place;
    place += count;
    if (place == end) break;  // no row is left, and a write past the last would hit a neighbour
  }
  starts[distinct] = end;
  distinct_[bucket] = distinct;
  for (std::uint32_t k = begin; k < end; ++k) {
    const std::uint32_t at = next[tagged_[k].row & low_bits]++;
    sorted_[at] = tagged_[k].sample;
    places_[at] = k;
  }
}

void Grouping::sort_few(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  const auto row_at = [&](std::uint32_t at) { return tagged_[places_[at]].row; };
  for (std::uint32_t k = begin; k < end; ++k) {
    std::uint32_t at = k;
    for (; at > begin && row_at(at - 1) > tagged_[k].row; --at) places_[at] = places_[at - 1];
    places_[at] = k;
  }
  std::uint32_t distinct = 0;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  for (std::uint32_t at = begin; at < end; ++at) {
    sorted_[at] = tagged_[places_[at]].sample;
    if (at > begin && row_at(at) == row_at(at - 1)) continue;
    rows_[begin + distinct] = row_at(at);
    starts[distinct] = at;
    ++distinct;
  }
  starts[distinct] = end;
  distinct_[bucket] = distinct;
}

}  // namespace evenkeel
