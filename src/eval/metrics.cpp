// In: where the relevant items stand in a list. Out: the value of each metric (docs/metrics.md).
#include "eval/metrics.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace evenkeel::eval {
namespace {

double discount(std::size_t rank) {
  return 1.0 / std::log2(static_cast<double>(rank) + 2.0);
}

}  // namespace

double recall_of(const Hits& hits) {
  return static_cast<double>(hits.ranks.size()) / static_cast<double>(hits.relevant);
}

double ndcg_of(const Hits& hits) {
  double gain = 0;
  for (const std::uint32_t rank : hits.ranks) gain += discount(rank);
  double ideal = 0;
  for (std::size_t rank = 0; rank < std::min(hits.k, hits.relevant); ++rank) {
    ideal += discount(rank);
  }
  return gain / ideal;
}

double hit_ratio_of(const Hits& hits) {
  return hits.ranks.empty() ? 0.0 : 1.0;
}

double precision_of(const Hits& hits) {
  return static_cast<double>(hits.ranks.size()) / static_cast<double>(hits.k);
}

double average_precision_of(const Hits& hits) {
  double sum = 0;
  for (std::size_t hit = 0; hit < hits.ranks.size(); ++hit) {
    sum += static_cast<double>(hit + 1) / (static_cast<double>(hits.ranks[hit]) + 1.0);
  }
  return sum / static_cast<double>(std::min(hits.k, hits.relevant));
}

double reciprocal_rank_of(const Hits& hits) {
  return hits.ranks.empty() ? 0.0 : 1.0 / (static_cast<double>(hits.ranks[0]) + 1.0);
}

void find_hits(std::span<const Row> ranked, std::span<const Row> relevant, std::size_t k,
               std::vector<std::uint32_t>& ranks) {
  ranks.clear();
  for (std::size_t rank = 0; rank < std::min(k, ranked.size()); ++rank) {
    if (std::binary_search(relevant.begin(), relevant.end(), ranked[rank])) {
      ranks.push_back(static_cast<std::uint32_t>(rank));
    }
  }
}

MetricSet metrics_of_hits(const Hits& hits) {
  EVENKEEL_CHECK(hits.relevant > 0 && hits.k > 0);
  MetricSet set;
  for (const MetricEntry& metric : metric_table()) set.*metric.field = metric.value(hits);
  set.users = 1;
  return set;
}

MetricSet metrics_of_list(std::span<const Row> ranked, std::span<const Row> relevant,
                          std::size_t k) {
  std::vector<std::uint32_t> ranks;
  find_hits(ranked, relevant, k, ranks);
  return metrics_of_hits({ranks, relevant.size(), k});
}

void add(MetricSet& sum, const MetricSet& one) {
  for (const MetricEntry& metric : metric_table()) sum.*metric.field += one.*metric.field;
  sum.users += one.users;
}

MetricSet mean(const MetricSet& sum) {
  MetricSet result = sum;
  if (sum.users == 0) return result;
  for (const MetricEntry& metric : metric_table()) {
    result.*metric.field /= static_cast<double>(sum.users);
  }
  return result;
}

}  // namespace evenkeel::eval
