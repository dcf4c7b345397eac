// In: rows of entries. Out: entries by row, by a stable radix pass into buckets and a counting sort
// inside each. Chunks and buckets have fixed sizes, so the result does not know the thread count.
#include "rows/grouping.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/error.h"
#include "base/matrix.h"

namespace evenkeel::rows {
namespace {

// A bucket with no more entries than this is sorted by insertion: cheaper than 512 counters.
constexpr std::uint32_t kFew = 24;

constexpr std::size_t kLine = 64 / sizeof(std::uint32_t);

}  // namespace

Grouping::Grouping(std::size_t rows, std::size_t most_entries, Layout layout)
    : layout_(layout),
      chunk_samples_(std::max<std::size_t>(128, 4096 / layout.width)),
      bits_(bucket_bits(rows)),
      buckets_((rows + (std::size_t{1} << bits_) - 1) >> bits_),
      chunk_ends_(((most_entries + chunk() - 1) / chunk()) * buckets_),
      first_entry_(buckets_ + 1),
      distinct_(buckets_),
      entries_(most_entries),
      places_(layout.weighted ? most_entries : 0),
      placed_(layout.weighted ? most_entries : 0),
      sorted_(most_entries),
      weights_(layout.weighted ? most_entries : 0),
      rows_(most_entries),
      starts_(most_entries + buckets_),
      singleton_(layout.separate_singletons ? most_entries : 0) {
  static_assert(kMostRows <= 1U << 10 && sizeof(Entry) == sizeof(std::uint32_t));
  EVENKEEL_CHECK(!layout.separate_singletons || (layout.width == 1 && !layout.weighted));
}

std::size_t Grouping::begin(std::span<const Row> row_of_entry) {
  EVENKEEL_CHECK(row_of_entry.size() <= sorted_.size());
  row_of_entry_ = row_of_entry;
  phase_ = Phase::kCounting;
  return chunks();
}

void Grouping::count_chunk(std::size_t chunk_number) {
  assert(phase_ == Phase::kCounting);
  std::uint32_t* counts = chunk_ends_.data() + chunk_number * buckets_;
  std::fill(counts, counts + buckets_, 0);
  const std::size_t end = chunk_end(chunk_number);
  for (std::size_t e = chunk_number * chunk(); e < end; ++e) ++counts[row_of_entry_[e] >> bits_];
}

// Counts become first places.
void Grouping::prefix_sums() {
  assert(phase_ == Phase::kCounting);
  phase_ = Phase::kScattering;
  std::uint32_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    first_entry_[bucket] = total;
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      std::uint32_t& count = chunk_ends_[chunk * buckets_ + bucket];
      const std::uint32_t here = count;
      count = total;
      total += here;
    }
  }
  first_entry_[buckets_] = total;
}

void Grouping::scatter_chunk(std::size_t chunk_number) {
  assert(phase_ == Phase::kScattering);
  std::uint32_t* next = chunk_ends_.data() + chunk_number * buckets_;
  const std::uint32_t low_bits = (1U << bits_) - 1;
  const std::size_t begin = chunk_number * chunk();
  const Row* row = row_of_entry_.data() + begin;
  std::uint32_t* kept = layout_.weighted ? places_.data() + begin : nullptr;
  const auto samples =
      static_cast<std::uint32_t>((chunk_end(chunk_number) - begin) / layout_.width);
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    for (std::size_t k = 0; k < layout_.width; ++k, ++row) {
      const std::uint32_t place = next[*row >> bits_]++;
      prefetch_for_writing(entries_.data() + place + kLine);
      entries_[place] = {*row & low_bits & 0x3FFU, sample & 0x3FFFFFU};
      if (kept != nullptr) *kept++ = place;
    }
  }
}

void Grouping::collect_rows(std::size_t bucket) {
  assert(phase_ == Phase::kScattering);
  few(bucket) ? collect_few(bucket) : collect_many(bucket);
}

template <typename Visit>
void Grouping::each_entry(std::size_t bucket, Visit visit) const {
  std::uint32_t k = first_entry_[bucket];
  for (std::size_t c = 0; c < chunks(); ++c) {
    const auto first = static_cast<std::uint32_t>(c * chunk_samples_);
    const std::uint32_t end = chunk_ends_[c * buckets_ + bucket];
    for (; k < end; ++k) visit(k, first + entries_[k].sample);
  }
}

void Grouping::collect_many(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  std::array<std::uint32_t, kMostRows> counts{};
  for (std::uint32_t k = begin; k < end; ++k) ++counts[entries_[k].row];
  std::uint32_t place = begin, distinct = 0;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  for (std::size_t low = 0, seen = begin; seen < end; ++low) {
    // Written always, kept only if the row is listed: no branch to mispredict. Stops at the last
    // row: a write past it would hit a neighbour.
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + low);
    starts[distinct] = place;
    const bool listed = counts[low] >= least();
    distinct += listed ? 1 : 0;
    place += listed ? counts[low] : 0;
    seen += counts[low];
  }
  starts[distinct] = place;
  distinct_[bucket] = distinct;
  if (!layout_.separate_singletons) return;
  each_entry(bucket, [&](std::uint32_t k, std::uint32_t entry) {
    singleton_[entry] = counts[entries_[k].row] == 1 ? 1 : 0;
  });
}

void Grouping::set_weights(std::size_t first_sample, std::span<const float> weights) {
  const std::uint32_t* places = places_.data() + first_sample * layout_.width;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    if (e + kLine < weights.size()) prefetch_for_writing(placed_.data() + places[e + kLine]);
    placed_[places[e]] = weights[e];
  }
}

void Grouping::sort_bucket(std::size_t bucket) {
  if (few(bucket)) return sort_few(bucket);
  layout_.weighted ? sort_many<true>(bucket) : sort_many<false>(bucket);
}

template <bool kWeighted>
void Grouping::sort_many(std::size_t bucket) {
  const std::size_t low_bits = (std::size_t{1} << bits_) - 1;
  std::array<std::uint32_t, kMostRows> next;
  const auto distinct = rows(bucket);
  const std::uint32_t* start = starts(bucket);
  // Singletons all go to one place behind the others: no branch to mispredict.
  if (layout_.separate_singletons) next.fill(start[distinct.size()]);
  for (std::size_t k = 0; k < distinct.size(); ++k) next[distinct[k] & low_bits] = start[k];
  each_entry(bucket, [&](std::uint32_t k, std::uint32_t sample) {
    const std::uint32_t at = next[entries_[k].row]++;
    sorted_[at] = sample;
    if constexpr (kWeighted) weights_[at] = placed_[k];
  });
}

void Grouping::sort_few(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket];
  std::array<std::uint32_t, kFew> sample_at;
  each_entry(bucket, [&](std::uint32_t k, std::uint32_t sample) { sample_at[k - begin] = sample; });
  for (std::uint32_t at = begin; at < starts(bucket)[distinct_[bucket]]; ++at) {
    const std::uint32_t k = sorted_[at];
    sorted_[at] = sample_at[k - begin];
    if (layout_.weighted) weights_[at] = placed_[k];
  }
}

// Leaves in sorted_, for each entry by row, where it stands in entries_.
void Grouping::collect_few(std::size_t bucket) {
  const std::uint32_t begin = first_entry_[bucket], end = first_entry_[bucket + 1];
  for (std::uint32_t k = begin; k < end; ++k) {
    std::uint32_t at = k;
    for (; at > begin && entries_[sorted_[at - 1]].row > entries_[k].row; --at) {
      sorted_[at] = sorted_[at - 1];
    }
    sorted_[at] = k;
  }
  std::uint32_t distinct = 0, place = begin;
  std::uint32_t* starts = starts_.data() + begin + bucket;
  std::array<std::uint8_t, kFew> single{};
  for (std::uint32_t at = begin, next = begin; at < end; at = next) {
    const std::uint32_t row = entries_[sorted_[at]].row;
    while (next < end && entries_[sorted_[next]].row == row) ++next;
    single[sorted_[at] - begin] = next - at == 1 ? 1 : 0;
    if (next - at < least()) continue;
    rows_[begin + distinct] = static_cast<Row>((bucket << bits_) + row);
    starts[distinct] = place;
    ++distinct;
    for (; at < next; ++at) sorted_[place++] = sorted_[at];
  }
  starts[distinct] = place;
  distinct_[bucket] = distinct;
  if (!layout_.separate_singletons) return;
  each_entry(bucket,
             [&](std::uint32_t k, std::uint32_t entry) { singleton_[entry] = single[k - begin]; });
}

bool Grouping::few(std::size_t bucket) const {
  return first_entry_[bucket + 1] - first_entry_[bucket] <= kFew;
}

}  // namespace evenkeel::rows
