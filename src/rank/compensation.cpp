// In: candidates with scores. Out: the same by compensated score, the best k of them.
#include "rank/compensation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace evenkeel::rank {
namespace {

double root_mean_square(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

void CompensationReranker::rerank(std::span<const Row>, std::span<const kernels::Ranked> candidates,
                                  std::size_t k, std::vector<kernels::Ranked>& list) const {
  list.clear();
  if (candidates.empty()) return;
  std::vector<double> score, payment(candidates.size());
  relevance_of(candidates, score);
  const double size = root_mean_square(score);  // above 0: the best candidate has 1
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    payment[i] = (kTaste * score[i] / size + 1 - kTaste) /
                 (static_cast<double>(popularity_[candidates[i].item]) + 1);
  }
  const double scale = strength_ * size / root_mean_square(payment);
  for (std::size_t i = 0; i < candidates.size(); ++i) score[i] += scale * payment[i];
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  order.resize(std::min(k, order.size()));
  for (const std::size_t place : order) list.push_back(candidates[place]);
}

}  // namespace evenkeel::rank
