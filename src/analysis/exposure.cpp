// In: ranked lists of all users. Out: counts by item, their Lorenz curve and their lift.
#include "analysis/exposure.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "data/groups.h"
#include "eval/evaluate.h"
#include "eval/user_sample.h"
#include "rank/correction.h"

namespace evenkeel::analysis {
namespace {

constexpr std::uint64_t kSampleSeed = 1;

double total_of(std::span<const std::uint64_t> counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

}  // namespace

std::vector<Row> users_with_items(const model::Model& model) {
  std::vector<Row> users;
  for (Row user = 0; user < model.users.rows(); ++user) {
    if (model.known.count(user) > 0) users.push_back(user);
  }
  return users;
}

std::vector<Row> listed_users(const model::Model& model) {
  const std::vector<Row> users = users_with_items(model);
  const std::size_t wanted = eval::evaluation_users(std::nullopt, users.size(), model.items.rows());
  if (wanted == users.size()) return users;
  std::vector<Row> listed;
  for (const std::size_t place :
       eval::stratified_sample(users, model.user_popularity, wanted, kSampleSeed)) {
    listed.push_back(users[place]);
  }
  return listed;
}

std::vector<std::uint64_t> count_exposure(const model::Model& model, std::size_t k,
                                          Threads& threads) {
  const rank::ModelRanking ranking(model, threads);
  return count_exposure(ranking.view(), model.known, listed_users(model), k, threads);
}

std::vector<std::uint64_t> count_exposure(const eval::VectorView& vectors, const data::Csr& known,
                                          std::span<const Row> users, std::size_t k,
                                          Threads& threads) {
  eval::Ranker ranker;
  ranker.prepare(vectors, threads);
  // Whole numbers: the order in which workers add them does not matter.
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(threads.count()));
  for (auto& own : counts) own.resize(vectors.items.rows());
  ranker.rank(users, &known, k, threads,
              [&](std::size_t, std::span<const kernels::Ranked> list, int worker) {
                auto& own = counts[static_cast<std::size_t>(worker)];
                for (const kernels::Ranked& entry : list) ++own[entry.item];
              });
  for (std::size_t worker = 1; worker < counts.size(); ++worker) {
    for (std::size_t i = 0; i < counts[0].size(); ++i) counts[0][i] += counts[worker][i];
  }
  return std::move(counts[0]);
}

std::vector<CurvePoint> lorenz_curve(std::span<const std::uint64_t> counts, std::size_t steps) {
  EVENKEEL_CHECK(steps > 0);
  std::vector<std::uint64_t> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end());
  const double total = total_of(counts);
  if (total <= 0) return {{0, 0}, {1, 1}};
  steps = std::min(steps, sorted.size());
  std::vector<CurvePoint> curve{{0, 0}};
  std::uint64_t sum = 0;
  std::size_t taken = 0;
  for (std::size_t step = 1; step <= steps; ++step) {
    const std::size_t until = step * sorted.size() / steps;
    for (; taken < until; ++taken) sum += sorted[taken];
    curve.push_back({static_cast<double>(taken) / static_cast<double>(sorted.size()),
                     static_cast<double>(sum) / total});
  }
  return curve;
}

DecileShares decile_shares(std::span<const std::uint64_t> counts,
                           std::span<const std::uint32_t> popularity) {
  DecileShares shares{};
  const std::vector<Row> order = data::rows_by_popularity(popularity);
  for (std::size_t n = 0; n < order.size(); ++n) {
    shares[n * kDeciles / order.size()] += static_cast<double>(counts[order[n]]);
  }
  if (const double total = total_of(counts); total > 0) {
    for (double& share : shares) share /= total;
  }
  return shares;
}

GroupShares group_shares(std::span<const std::uint64_t> counts,
                         std::span<const std::uint32_t> popularity) {
  GroupShares shares{};
  const std::vector<std::uint8_t> third = data::popularity_thirds(popularity);
  for (std::size_t i = 0; i < third.size(); ++i) {
    shares[third[i]] += static_cast<double>(counts[i]);
  }
  if (const double total = total_of(counts); total > 0) {
    for (double& share : shares) share /= total;
  }
  return shares;
}

SliceShares slice_shares(std::span<const std::uint64_t> counts,
                         std::span<const std::uint32_t> popularity) {
  constexpr std::array<std::size_t, 3> kPercent{1, 5, 20};
  SliceShares shares{};
  const std::vector<Row> order = data::rows_by_popularity(popularity);
  std::size_t slice = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    // A slice of a small catalogue has an item more rather than none.
    while (slice < kPercent.size() && 100 * n >= kPercent[slice] * order.size()) ++slice;
    shares[slice] += static_cast<double>(counts[order[n]]);
  }
  if (const double total = total_of(counts); total > 0) {
    for (double& share : shares) share /= total;
  }
  return shares;
}

Exposure measure_exposure(std::span<const std::uint64_t> counts,
                          std::span<const std::uint32_t> popularity) {
  EVENKEEL_CHECK(counts.size() == popularity.size());
  Exposure out;
  out.lorenz = lorenz_curve(counts);
  out.gini = eval::gini_of(counts);
  out.group_share = group_shares(counts, popularity);
  out.tail_share = out.group_share[2];
  out.decile_share = decile_shares(counts, popularity);
  out.slice_share = slice_shares(counts, popularity);
  const std::vector<std::uint64_t> consumed(popularity.begin(), popularity.end());
  const DecileShares consumed_share = decile_shares(consumed, popularity);
  for (std::size_t d = 0; d < kDeciles; ++d) {
    if (consumed_share[d] > 0) out.lift[d] = out.decile_share[d] / consumed_share[d];
  }
  const double total = total_of(counts);
  double seen = 0, weighted = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += counts[i] > 0 ? 1 : 0;
    weighted += static_cast<double>(counts[i]) * popularity[i];
  }
  if (!counts.empty()) out.coverage = seen / static_cast<double>(counts.size());
  if (total > 0) out.mean_popularity = weighted / total;
  return out;
}

}  // namespace evenkeel::analysis
