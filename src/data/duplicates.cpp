// In: pairs. Out: those that come first. Pairs are dealt out by user into shares that fit a core's
// cache, and each share is searched alone.
#include "data/duplicates.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/huge_pages.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kRowsOfShare = std::size_t{1} << 17;
constexpr std::size_t kMostShares = 512;
constexpr std::size_t kRowsOfWave = std::size_t{1} << 24;  // dealt out at a time: 256 MiB

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

}  // namespace

void RepeatFinder::group(std::span<const LogRow> rows, std::size_t users, std::size_t step) {
  EVENKEEL_CHECK(rows.size() < std::numeric_limits<std::uint32_t>::max());
  next_.assign(users / step + 2, 0);
  order_.resize(rows.size());
  for (const LogRow& row : rows) ++next_[row.user / step + 1];
  for (std::size_t u = 1; u < next_.size(); ++u) next_[u] += next_[u - 1];
  for (std::uint32_t n = 0; n < rows.size(); ++n) order_[next_[rows[n].user / step]++] = n;
}

namespace {

// What is kept of each pair's rows beside the first place.
struct MergedColumns {
  std::span<double> times;
  std::span<float> weights;
  RepeatWeights repeats = RepeatWeights::kAdd;

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

std::uint64_t mark(std::span<Pair> pairs, MergedColumns columns, std::size_t users,
                   std::size_t items, Threads& threads) {
  EVENKEEL_CHECK(users <= kRepeated);
  const std::size_t shares = std::min(kMostShares, std::bit_ceil(pairs.size() / kRowsOfShare + 1));
  Deal deal = plan_deal(pairs, shares, threads);
  const std::vector<std::size_t> waves = waves_of(deal);
  std::size_t most = 0;
  for (std::size_t w = 1; w < waves.size(); ++w) {
    most = std::max(most, deal.starts[waves[w]] - deal.starts[waves[w - 1]]);
  }
  const auto dealt = std::make_unique_for_overwrite<LogRow[]>(most);
  prefer_huge_pages(dealt.get(), most * sizeof(LogRow));
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(threads.count()));
  std::vector<RepeatFinder> finders(counts.size(), RepeatFinder(items));
  for (std::size_t w = 1; w < waves.size(); ++w) {
    const std::size_t first = waves[w - 1], count = waves[w] - first;
    const std::uint64_t base = deal.starts[first];
    threads.for_chunks(pairs.size(), deal.grain, [&](std::size_t begin, std::size_t end, int) {
      std::uint64_t* next = deal.next.data() + begin / deal.grain * shares;
      for (std::size_t n = begin; n < end; ++n) {
        const std::size_t share = pairs[n].user & (shares - 1);
        if (share - first >= count) continue;      // below `first` it wraps around
        if (pairs[n].user == kRepeated) continue;  // marked in an earlier wave
        dealt[next[share]++ - base] = {pairs[n].user, pairs[n].item, n};
      }
    });
    threads.for_chunks(count, 1, [&](std::size_t n, std::size_t, int worker) {
      const std::span<const LogRow> rows(dealt.get() + (deal.starts[first + n] - base),
                                         dealt.get() + (deal.starts[first + n + 1] - base));
      std::uint64_t found = 0;
      finders[static_cast<std::size_t>(worker)].find(
          rows, users, shares, [&](std::uint32_t again, std::uint32_t earlier) {
            pairs[rows[again].row].user = kRepeated;
            ++found;
            columns.join(rows[earlier].row, rows[again].row);
          });
      counts[static_cast<std::size_t>(worker)] += found;
    });
  }
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return total;
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
