// In: scores of held-out pairs and of other items. Out: one number, by bisection on 1 / T.
#include "rank/temperature.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "cluster/held_rows.h"

namespace evenkeel::rank {
namespace {

constexpr std::uint64_t kSeed = 1;  // of the draws: the fit of one model is always the same
constexpr std::size_t kGrain = 64;  // pairs in a chunk; sums run chunk by chunk

std::vector<Pair> drawn_pairs(const data::Part& part) {
  const std::size_t all = part.interactions();
  const Random random(kSeed, Purpose::kTemperature);
  std::vector<Pair> pairs;
  std::size_t index = 0;
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    for (const Row item : part.items_of.row(user)) {
      const double chance = static_cast<double>(kFitPairs) / static_cast<double>(all);
      if (chance >= 1 || random.uniform(static_cast<std::uint32_t>(index), 0) < chance) {
        pairs.push_back({static_cast<Row>(user), item});
      }
      ++index;
    }
  }
  return pairs;
}

// Users whom the fit looks at, ascending.
std::vector<Row> fitted_users(const data::Part& part) {
  std::vector<Row> users;
  for (const Pair& pair : drawn_pairs(part)) {
    if (users.empty() || users.back() != pair.user) users.push_back(pair.user);
  }
  return users;
}

double similarity(const eval::VectorView& vectors, Row user, Row item) {
  const auto u = vectors.users.values(user), i = vectors.items.values(item);
  double dot = 0, uu = 0, ii = 0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    dot += double{u[c]} * double{i[c]};
    uu += double{u[c]} * double{u[c]};
    ii += double{i[c]} * double{i[c]};
  }
  if (vectors.score == model::Score::kDot) return dot;
  return uu > 0 && ii > 0 ? dot / std::sqrt(uu * ii) : 0.0;
}

// Scores of one pair: the pair's own first, then those of the items it is compared with.
std::vector<double> scores_of(const eval::VectorView& vectors, Row user_row,
                              const data::Dataset& data, const data::Part& part, Pair pair,
                              std::uint32_t row) {
  const Random random(kSeed, Purpose::kTemperature, 1);
  Draws draws(random, row);
  std::vector<double> scores{similarity(vectors, user_row, pair.item)};
  const auto items = static_cast<std::uint32_t>(data.item_count());
  const bool all = items <= kFitItems;
  for (std::uint32_t k = 0; k < (all ? items : kFitItems); ++k) {
    const Row item = all ? k : draws.below(items);
    if (data.items_of.contains(pair.user, item) || part.items_of.contains(pair.user, item)) {
      continue;
    }
    scores.push_back(similarity(vectors, user_row, item));
  }
  return scores;
}

// Derivative of log softmax(b s) of the first score with respect to b.
double slope(const std::vector<double>& scores, double b) {
  double most = scores[0];
  for (const double s : scores) most = std::max(most, s);
  double sum = 0, weighted = 0;
  for (const double s : scores) {
    const double e = std::exp(b * (s - most));
    sum += e;
    weighted += e * s;
  }
  return scores[0] - weighted / sum;
}

// row_of(user) is its row in the vectors.
std::optional<double> fit(const eval::VectorView& vectors, const data::Dataset& data,
                          const data::Part& part, Threads& threads, FunctionRef<Row(Row)> row_of) {
  const std::vector<Pair> pairs = drawn_pairs(part);
  if (pairs.empty()) return std::nullopt;
  std::vector<std::vector<double>> scores(pairs.size());
  threads.for_chunks(pairs.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t p = begin; p < end; ++p) {
      scores[p] = scores_of(vectors, row_of(pairs[p].user), data, part, pairs[p],
                            static_cast<std::uint32_t>(p));
    }
  });
  double spread = 0;  // the unit of b: scores may be cosines, or dot products of any size
  for (const auto& row : scores) {
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    spread = std::max(spread, *high - *low);
  }
  if (!(spread > 0) || !std::isfinite(spread)) return std::nullopt;
  std::vector<double> sums((pairs.size() + kGrain - 1) / kGrain);
  const auto total_slope = [&](double b) {
    threads.for_chunks(pairs.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
      double sum = 0;
      for (std::size_t p = begin; p < end; ++p) sum += slope(scores[p], b);
      sums[begin / kGrain] = sum;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
  };
  double low = 1e-3 / spread, high = 1e4 / spread;  // of b; the slope falls with b
  if (total_slope(low) <= 0) return std::nullopt;
  for (int step = 0; step < 40; ++step) {  // to 1e-11 of the logarithm of the range
    const double middle = std::sqrt(low * high);
    (total_slope(middle) > 0 ? low : high) = middle;
  }
  return 1 / std::sqrt(low * high);
}

}  // namespace

std::optional<double> fit_temperature(const eval::VectorView& vectors, const data::Dataset& data,
                                      const data::Part& part, Threads& threads) {
  return fit(vectors, data, part, threads, [](Row user) { return user; });
}

std::optional<double> fit_temperature(const eval::VectorView& vectors, const data::Dataset& data,
                                      const data::Part& part, Threads& threads,
                                      cluster::Cluster& ranks) {
  if (vectors.users.holds_all()) return fit_temperature(vectors, data, part, threads);
  const std::vector<Row> users = fitted_users(part);
  const Matrix rows =
      cluster::fetched_rows(ranks, vectors.users, cluster::row_cuts(ranks, vectors.users), users);
  return fit({rows, vectors.items, vectors.score}, data, part, threads, [&](Row user) {
    return static_cast<Row>(std::lower_bound(users.begin(), users.end(), user) - users.begin());
  });
}

}  // namespace evenkeel::rank
