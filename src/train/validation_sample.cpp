// In: users by row. Out: places among them.
#include "train/validation_sample.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::train {
namespace {

// Seconds of two cores at 64 dimensions, fitted to docs/performance.md: only their ratio counts.
double epoch_seconds(const TrainOptions& options, const data::Dataset& data) {
  constexpr double kSample = 0.5e-6, kOwn = 0.012e-6, kShared = 0.0022e-6;
  double each = kShared;
  double negatives = static_cast<double>(options.negatives);
  if (options.negatives_kind == step::NegativesKind::kOwn) each = kOwn;
  if (options.negatives_kind == step::NegativesKind::kInBatch) {
    negatives = static_cast<double>(options.pool);
  }
  if (options.negatives_kind == step::NegativesKind::kAll) {
    negatives = static_cast<double>(data.item_count());
  }
  return static_cast<double>(data.interactions()) * (kSample + each * negatives);
}

double ranking_seconds(const data::Dataset& data) {  // of one user
  constexpr double kScores = 1.3e9;
  return static_cast<double>(data.item_count()) / kScores;
}

}  // namespace

std::size_t validation_users(const TrainOptions& options, const data::Dataset& data,
                             std::size_t users) {
  if (options.validation_users) return std::min(users, *options.validation_users);
  constexpr double kShare = 0.1;
  const double allowed = kShare * epoch_seconds(options, data) * std::max(1, options.eval_every);
  const auto affordable = static_cast<std::size_t>(allowed / ranking_seconds(data));
  return std::min(users, std::max(kLeastValidationUsers, affordable));
}

std::vector<std::size_t> stratified_sample(std::span<const Row> users,
                                           std::span<const std::uint32_t> popularity,
                                           std::size_t wanted, std::uint64_t seed) {
  EVENKEEL_CHECK(wanted <= users.size());
  std::vector<std::size_t> order(users.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return popularity[users[a]] < popularity[users[b]];
  });
  const Random random(seed, Purpose::kValidation);
  std::vector<std::size_t> kept;
  kept.reserve(wanted);
  for (std::size_t n = 0; n < wanted; ++n) {
    const std::size_t begin = n * users.size() / wanted, end = (n + 1) * users.size() / wanted;
    const auto offset = static_cast<std::size_t>(random.uniform(static_cast<std::uint32_t>(n), 0) *
                                                 static_cast<double>(end - begin));
    kept.push_back(order[begin + offset]);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace evenkeel::train
