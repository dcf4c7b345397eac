// In: pairs. Out: those that come first. Pairs are dealt out by user into shares that fit a core's
// cache, and each share is searched alone.
#include "data/duplicates.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/huge_pages.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kRowsOfShare = std::size_t{1} << 17;
constexpr std::size_t kMostShares = 512;
constexpr std::size_t kRowsOfWave = std::size_t{1} << 27;  // dealt out at a time: 1 GiB
constexpr std::size_t kLine = 8;                           // places that share a cache line

// Where the rows of each block of the log go: offsets by share, then by block.
struct Deal {
  std::size_t shares, blocks, grain;
  std::vector<std::uint64_t> next;    // blocks x shares
  std::vector<std::uint64_t> starts;  // of shares, and the end
};

Deal plan_deal(std::span<const Pair> pairs, std::size_t shares, Threads& threads) {
  Deal deal;
  deal.shares = shares;
  deal.blocks = static_cast<std::size_t>(threads.count()) * 4;
  deal.grain = pairs.size() / deal.blocks + 1;
  deal.next.assign(deal.blocks * shares, 0);
  threads.for_chunks(pairs.size(), deal.grain, [&](std::size_t begin, std::size_t end, int) {
    std::uint64_t* counts = deal.next.data() + begin / deal.grain * shares;
    for (std::size_t n = begin; n < end; ++n) ++counts[pairs[n].user & (shares - 1)];
  });
  std::uint64_t total = 0;
  for (std::size_t s = 0; s < shares; ++s) {
    deal.starts.push_back(total);
    for (std::size_t b = 0; b < deal.blocks; ++b) {
      total += std::exchange(deal.next[b * shares + s], total);
    }
  }
  deal.starts.push_back(total);
  return deal;
}

// Shares that are dealt out together: from each entry up to the next.
std::vector<std::size_t> waves_of(const Deal& deal) {
  std::vector<std::size_t> waves{0};
  for (std::size_t s = 1; s < deal.shares; ++s) {
    if (deal.starts[s + 1] - deal.starts[waves.back()] > kRowsOfWave) waves.push_back(s);
  }
  waves.push_back(deal.shares);
  return waves;
}

// What is kept of each pair's rows beside the first place.
struct MergedColumns {
  std::span<double> times;
  std::span<float> weights;
  RepeatWeights repeats = RepeatWeights::kAdd;

  bool any() const { return !times.empty() || !weights.empty(); }
  void join(std::uint64_t first, std::uint64_t again) {
    if (!times.empty()) times[first] = std::min(times[first], times[again]);
    if (weights.empty()) return;
    const float sum = weights[first] + weights[again];
    weights[first] =
        repeats == RepeatWeights::kAdd ? sum : std::max(weights[first], weights[again]);
  }
  void move(std::size_t from, std::size_t to) {
    if (!times.empty()) times[to] = times[from];
    if (!weights.empty()) weights[to] = weights[from];
  }
};

// Deals out the rows of a wave of shares: `count` of them from `first` on. A row of another share
// is written where nobody reads, since nobody could foresee a branch. What an earlier wave marked
// looks like a row of the last share.
template <typename Rows>
void deal_out(const Rows& layout, std::span<const Pair> pairs, std::size_t first, std::size_t count,
              Deal& deal, typename Rows::Entry* dealt, std::size_t most, Threads& threads) {
  const std::uint64_t base = deal.starts[first];
  threads.for_chunks(pairs.size(), deal.grain, [&](std::size_t begin, std::size_t end, int worker) {
    std::uint64_t* next = deal.next.data() + begin / deal.grain * deal.shares;
    const std::uint64_t nowhere = most + static_cast<std::size_t>(worker) * kLine;
    for (std::size_t n = begin; n < end; ++n) {
      const Pair pair = pairs[n];
      const std::size_t share = pair.user & (deal.shares - 1);
      const bool here = (share - first < count) & (pair.user != kRepeated);
      const std::uint64_t place = next[share];
      dealt[here ? place - base : nowhere] = layout.pack(pair, n);
      next[share] = place + (here ? 1 : 0);
    }
  });
}

template <typename Rows>
std::uint64_t mark_rows(const Rows& layout, std::span<Pair> pairs, MergedColumns columns,
                        std::size_t shares, std::size_t users, std::size_t items,
                        Threads& threads) {
  Deal deal = plan_deal(pairs, shares, threads);
  const std::vector<std::size_t> waves = waves_of(deal);
  std::size_t most = 0;
  for (std::size_t w = 1; w < waves.size(); ++w) {
    most = std::max(most, deal.starts[waves[w]] - deal.starts[waves[w - 1]]);
  }
  using Entry = typename Rows::Entry;
  const std::size_t places = most + static_cast<std::size_t>(threads.count()) * kLine;
  const auto dealt = std::make_unique_for_overwrite<Entry[]>(places);
  prefer_huge_pages(dealt.get(), places * sizeof(Entry));
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(threads.count()));
  std::vector<RepeatFinder> finders(counts.size(), RepeatFinder(items, columns.any()));
  for (std::size_t w = 1; w < waves.size(); ++w) {
    const std::size_t first = waves[w - 1], count = waves[w] - first;
    const std::uint64_t base = deal.starts[first];
    deal_out(layout, pairs, first, count, deal, dealt.get(), most, threads);
    threads.for_chunks(count, 1, [&](std::size_t n, std::size_t, int worker) {
      const std::span<const Entry> rows(dealt.get() + (deal.starts[first + n] - base),
                                        dealt.get() + (deal.starts[first + n + 1] - base));
      std::uint64_t found = 0;
      finders[static_cast<std::size_t>(worker)].find(
          layout, rows, users / shares + 1, [&](std::uint32_t again, std::uint32_t earlier) {
            const std::uint64_t row = layout.row(rows[again]);
            pairs[row].user = kRepeated;
            ++found;
            if (columns.any()) columns.join(layout.row(rows[earlier]), row);
          });
      counts[static_cast<std::size_t>(worker)] += found;
    });
  }
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return total;
}

std::uint64_t mark(std::span<Pair> pairs, MergedColumns columns, std::size_t users,
                   std::size_t items, Threads& threads) {
  EVENKEEL_CHECK(users <= kRepeated);
  const std::size_t shares = std::min(kMostShares, std::bit_ceil(pairs.size() / kRowsOfShare + 1));
  const auto shift = static_cast<unsigned>(std::countr_zero(shares));
  const auto item_bits = static_cast<unsigned>(std::bit_width(items));
  const auto row_bits = static_cast<unsigned>(std::bit_width(pairs.size()));
  if (static_cast<unsigned>(std::bit_width(users >> shift)) + item_bits + row_bits > 64) {
    return mark_rows(WholeRows{shift}, pairs, columns, shares, users, items, threads);
  }
  return mark_rows(PackedRows{shift, item_bits, row_bits}, pairs, columns, shares, users, items,
                   threads);
}

// The same, and drops them.
std::uint64_t merge(std::vector<Pair>& pairs, std::vector<double>& times,
                    std::vector<float>& weights, RepeatWeights repeats, std::size_t users,
                    std::size_t items, Threads& threads) {
  MergedColumns columns{times, weights, repeats};
  const std::uint64_t total = mark(pairs, columns, users, items, threads);
  if (total == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    const bool stays = pairs[row].user != kRepeated;
    pairs[kept] = pairs[row];
    columns.move(row, kept);
    kept += stays ? 1 : 0;
  }
  pairs.resize(kept);
  if (!times.empty()) times.resize(kept);
  if (!weights.empty()) weights.resize(kept);
  return total;
}

}  // namespace

std::uint64_t mark_duplicates(std::span<Pair> pairs, std::span<double> times, std::size_t users,
                              std::size_t items, Threads& threads) {
  return mark(pairs, {times, {}}, users, items, threads);
}

KeptRows::KeptRows(std::span<const Pair> pairs, Threads& threads) : pairs_(pairs) {
  starts_.assign((pairs.size() + kStretch - 1) / kStretch + 1, 0);
  threads.for_chunks(pairs.size(), kStretch, [&](std::size_t begin, std::size_t end, int) {
    std::uint64_t count = 0;
    for (std::size_t row = begin; row < end; ++row) count += kept(row);
    starts_[begin / kStretch + 1] = count;
  });
  for (std::size_t s = 1; s < starts_.size(); ++s) starts_[s] += starts_[s - 1];
}

std::uint64_t merge_duplicates(std::vector<Pair>& pairs, std::vector<double>& times,
                               std::size_t users, std::size_t items, Threads& threads) {
  std::vector<float> none;
  return merge(pairs, times, none, RepeatWeights::kAdd, users, items, threads);
}

void merge_duplicates(Interactions& log, Threads& threads, RepeatWeights repeats) {
  log.report.duplicates += merge(log.pairs, log.times, log.weights, repeats, log.users.size(),
                                 log.items.size(), threads);
}

void merge_duplicates(Interactions& log) {
  Threads alone(1);
  merge_duplicates(log, alone);
}

}  // namespace evenkeel::data
