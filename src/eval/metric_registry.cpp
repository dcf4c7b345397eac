// In: nothing. Out: the table of metrics that evaluation, result.json and `evenkeel list` read.
#include <array>

#include "eval/evaluate.h"
#include "eval/metrics.h"

namespace evenkeel::eval {

std::span<const MetricEntry> metric_table() {
  static constexpr std::array<MetricEntry, 6> kTable{{
      {"recall", "hits / relevant items", recall_of, &MetricSet::recall},
      {"ndcg", "sum of 1/log2(rank + 1) over hits / the same of an ideal list", ndcg_of,
       &MetricSet::ndcg},
      {"hr", "1 if the list has a hit", hit_ratio_of, &MetricSet::hr},
      {"precision", "hits / K", precision_of, &MetricSet::precision},
      {"map", "sum of precision at each hit's rank / min(K, relevant items)", average_precision_of,
       &MetricSet::map},
      {"mrr", "1 / rank of the first hit", reciprocal_rank_of, &MetricSet::mrr},
  }};
  return kTable;
}

std::span<const ExposureEntry> exposure_table() {
  static constexpr std::array<ExposureEntry, 10> kTable{{
      {"balanced_recall",
       "Recall with every pair weighted by 1 / popularity, clipped: the goal `balanced`",
       &Evaluation::balanced},
      {"coverage", "share of the catalogue that stands in at least one list",
       &Evaluation::coverage},
      {"gini", "Gini coefficient of the items' exposures: 0 even, 1 one item takes all",
       &Evaluation::gini},
      {"mean_popularity", "ARP: mean training count of a recommended item",
       &Evaluation::mean_popularity},
      {"tail_share", "APLT: share of recommended items that are tail items",
       &Evaluation::tail_share},
      {"aclt", "ACLT: tail items in a list, mean over users", &Evaluation::aclt},
      {"pop_reo", "PopREO: sd / mean, over head, mid and tail, of listed / relevant items",
       &Evaluation::pop_reo},
      {"pop_rsp", "PopRSP: sd / mean, over head, mid and tail, of listed / candidate items",
       &Evaluation::pop_rsp},
      {"novelty", "mean of -log2((training count + 1) / (users + 1)) of a recommended item",
       &Evaluation::novelty},
      {"miscalibration",
       "Jensen-Shannon distance between the head/mid/tail shares of history and list, mean over "
       "users",
       &Evaluation::miscalibration},
  }};
  return kTable;
}

}  // namespace evenkeel::eval
