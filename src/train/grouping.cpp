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

Grouping::Grouping(std::size_t rows, std::size_t most_entries, Layout layout)
    : layout_(layout),
      bits_(bits_for(rows)),
      buckets_((rows + (std::size_t{1} << bits_) - 1) >> bits_),
      cell_ends_(((most_entries + layout.chunk - 1) / layout.chunk) * buckets_),
      first_entry_(buckets_ + 1),
      distinct_(buckets_),
      tagged_(most_entries),
      kept_places_(most_entries / layout.width * layout.kept_places),
      sorted_(most_entries),
      places_(most_entries),
      rows_(most_entries),
      starts_(most_entries + buckets_) {
  static_assert(kMostRows <= (1U << kernels::CellEntry::kRowBits));
  EVENKEEL_CHECK(layout.chunk % layout.width == 0);
  EVENKEEL_CHECK(layout.samples() <= (1U << kernels::CellEntry::kSampleBits));
}

std::size_t Grouping::begin(std::span<const Row> row_of_entry) {
  EVENKEEL_CHECK(row_of_entry.size() <= sorted_.size());
  row_of_entry_ = row_of_entry;
  return chunks();
}

void Grouping::count(std::size_t chunk) {
  std::uint32_t* counts = cell_ends_.data() + chunk * buckets_;
  std::fill(counts, counts + buckets_, 0);
  const std::size_t end = chunk_end(chunk);
  for (std::size_t e = chunk * layout_.chunk; e < end; ++e) ++counts[row_of_entry_[e] >> bits_];
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
  const std::uint32_t low_bits = (1U << bits_) - 1;
  const Row* row = row_of_entry_.data() + chunk * layout_.chunk;
  const auto samples =
      static_cast<std::uint32_t>((chunk_end(chunk) - chunk * layout_.chunk) / layout_.width);
  std::uint32_t* kept = kept_places_.data() + chunk * layout_.samples() * layout_.kept_places;
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    for (std::size_t k = 0; k < layout_.width; ++k, ++row) {
      const std::uint32_t place = next[*row >> bits_]++;
      __builtin_prefetch(tagged_.data() + place + kLine, 1);
      tagged_[place] = kernels::cell_entry(*row & low_bits, sample, k == 0);
      if (k < layout_.kept_places) *kept++ = place;
    }
  }
}

void Grouping::list(std::size_t bucket) {
  few(bucket) ? list_few(bucket) : list_many(bucket);
}

// visit(k, sample) for the bucket's entries where they stand in tagged_.
template <typename Visit>
void Grouping::each_entry(std::size_t bucket, Visit visit) const {
  std::uint32_t k = first_entry_[bucket];
  for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
    const auto first = static_cast<std::uint32_t>(chunk * layout_.samples());
    const std::uint32_t end = cell_ends_[chunk * buckets_ + bucket];
    for (; k < end; ++k) visit(k, first + tagged_[k].sample);
  }
}

void Grouping::list_many(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  std::array<std::uint32_t, kMostRows> counts{};
  for (std::uint32_t k = begin; k < end; ++k) ++counts[tagged_[k].row];
  std::uint32_t place = begin, distinct = 0;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  for (std::size_t low = 0; place < end; ++low) {
    // Written always, kept only if the row occurs: no branch to mispredict. Stops at the last row:
    // a write past it would hit a neighbour.
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + low);
    starts[distinct] = place;
    distinct += counts[low] > 0 ? 1 : 0;
    place += counts[low];
  }
  starts[distinct] = end;
  distinct_[bucket] = distinct;
}

void Grouping::order(std::size_t bucket) {
  if (few(bucket)) return;  // list() did it
  const std::size_t low_bits = bucket_rows() - 1;
  std::array<std::uint32_t, kMostRows> next;
  const auto distinct = rows(bucket);
  const std::uint32_t* start = starts(bucket);
  for (std::size_t k = 0; k < distinct.size(); ++k) next[distinct[k] & low_bits] = start[k];
  each_entry(bucket, [&](std::uint32_t k, std::uint32_t sample) {
    const std::uint32_t at = next[tagged_[k].row]++;
    sorted_[at] = sample;
    places_[at] = k;
  });
}

void Grouping::list_few(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket];
  struct Entry {
    std::uint32_t row, sample, place;
  };
  std::array<Entry, kFew> entries;
  std::size_t count = 0;
  each_entry(bucket, [&](std::uint32_t k, std::uint32_t sample) {
    const Entry entry{tagged_[k].row, sample, k};
    std::size_t at = count++;
    for (; at > 0 && entries[at - 1].row > entry.row; --at) entries[at] = entries[at - 1];
    entries[at] = entry;
  });
  std::uint32_t distinct = 0;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  for (std::size_t k = 0; k < count; ++k) {
    sorted_[begin + k] = entries[k].sample;
    places_[begin + k] = entries[k].place;
    if (k > 0 && entries[k].row == entries[k - 1].row) continue;
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + entries[k].row);
    starts[distinct] = static_cast<std::uint32_t>(begin + k);
    ++distinct;
  }
  starts[distinct] = first_entry_[bucket + 1];
  distinct_[bucket] = distinct;
}

bool Grouping::few(std::size_t bucket) const {
  return first_entry_[bucket + 1] - first_entry_[bucket] <= kFew;
}

}  // namespace evenkeel
