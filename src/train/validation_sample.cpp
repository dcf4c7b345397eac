// In: what an epoch costs. Out: how many users a validation may rank.
#include "train/validation_sample.h"

#include <algorithm>

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

}  // namespace evenkeel::train
