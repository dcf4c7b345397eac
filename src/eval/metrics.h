// Metrics of one ranked list. In: the list, the relevant items, K; out: recall, NDCG, hit ratio,
// precision, MAP, MRR as docs/metrics.md defines them. Works on anybody's lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace evenkeel::eval {

// One user's values, or their mean over `users` users.
struct MetricSet {
  double recall = 0, ndcg = 0, hr = 0, precision = 0, map = 0, mrr = 0;
  std::size_t users = 0;
};

// All that a metric needs to know of a list.
struct Hits {
  std::span<const std::uint32_t> ranks;  // of the relevant items in the list, ascending, from 0
  std::size_t relevant = 0;              // relevant items there are, at least 1
  std::size_t k = 0;
};

struct MetricEntry {
  std::string_view name;
  std::string_view description;
  double (*value)(const Hits&);
  double MetricSet::*field;
};

// The table of metrics (metric_registry.cpp): a new metric is a function, a field and a line there.
std::span<const MetricEntry> metric_table();

double recall_of(const Hits& hits);
double ndcg_of(const Hits& hits);
double hit_ratio_of(const Hits& hits);
double precision_of(const Hits& hits);
double average_precision_of(const Hits& hits);
double reciprocal_rank_of(const Hits& hits);

// Ranks of the relevant items among the first k of `ranked`; `relevant` ascends.
void find_hits(std::span<const Row> ranked, std::span<const Row> relevant, std::size_t k,
               std::vector<std::uint32_t>& ranks);

// All metrics of one list, users = 1. `relevant` ascends and is not empty, k is at least 1.
MetricSet metrics_of_list(std::span<const Row> ranked, std::span<const Row> relevant,
                          std::size_t k);
MetricSet metrics_of_hits(const Hits& hits);

void add(MetricSet& sum, const MetricSet& one);
MetricSet mean(const MetricSet& sum);  // zeros stay zeros when there are no users

}  // namespace evenkeel::eval
