// In: what blocks and workers counted. Out: an evaluation; the order of sums is that of the blocks.
#include "eval/evaluation_sums.h"

#include <algorithm>

namespace evenkeel::eval {

// Whole numbers: the order does not matter.
void Evaluator::sum_over(cluster::Cluster& ranks, std::vector<Worker>& workers) {
  if (ranks.alone()) return;
  Worker& all = workers.front();
  for (std::size_t w = 1; w < workers.size(); ++w) {
    add(all.tally, workers[w].tally);
    for (std::size_t i = 0; i < all.exposure.size(); ++i) {
      all.exposure[i] += workers[w].exposure[i];
    }
  }
  workers.resize(1);
  ranks.sum(workers.front().exposure);
  GroupTally& tally = workers.front().tally;
  for (GroupCounts* counts : {&tally.listed, &tally.hits, &tally.candidates, &tally.relevant}) {
    ranks.sum(*counts);
  }
}

void Evaluator::count_user(Row user, std::span<const std::uint32_t> hits, Worker& worker,
                           Block& block) const {
  const GroupCounts listed = count_groups(worker.list, item_group_);
  const GroupCounts masked = count_groups(masked_.row(user), item_group_);
  add(worker.tally.listed, listed);
  add(worker.tally.relevant, count_groups(part_.items_of.row(user), item_group_));
  for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
    worker.tally.candidates[group] += catalogue_[group] - masked[group];
  }
  for (const std::uint32_t rank : hits) ++worker.tally.hits[item_group_[worker.list[rank]]];
  const auto history = dataset_.items_of.row(user);
  if (history.empty() || worker.list.empty()) return;
  block.distance +=
      jensen_shannon_distance(shares_of(count_groups(history, item_group_)), shares_of(listed));
  ++block.calibrated;
}

void Evaluator::finish(std::span<const Block> blocks, std::span<const Worker> workers,
                       Evaluation& result) const {
  for (const Block& block : blocks) {
    result.balanced += block.weighted_hits;
    add(result.overall, block.overall);
    for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
      add(result.item_groups[group], block.item_groups[group]);
      add(result.user_groups[group], block.user_groups[group]);
    }
  }
  const double weight = total_weight();
  result.balanced = weight > 0 ? result.balanced / weight : 0.0;
  result.overall = mean(result.overall);
  for (MetricSet& set : result.item_groups) set = mean(set);
  for (MetricSet& set : result.user_groups) set = mean(set);

  GroupTally tally;
  for (const Worker& worker : workers) add(tally, worker.tally);
  result.pop_reo = relative_deviation(tally.hits, tally.relevant);
  result.pop_rsp = relative_deviation(tally.listed, tally.candidates);
  double distance = 0, calibrated = 0;
  for (const Block& block : blocks) {
    distance += block.distance;
    calibrated += block.calibrated;
  }
  result.miscalibration = calibrated > 0 ? distance / calibrated : 0;
  finish_exposure(workers, result);
}

void Evaluator::finish_exposure(std::span<const Worker> workers, Evaluation& result) const {
  std::vector<std::uint64_t> exposure(candidates_.size());
  const auto& trained = dataset_.user_popularity;
  const auto users =
      trained.size() - static_cast<std::size_t>(std::count(trained.begin(), trained.end(), 0U));
  std::uint64_t shown = 0, seen = 0, tail = 0;
  double popularity = 0, information = 0;
  for (std::size_t place = 0; place < exposure.size(); ++place) {
    const Row item = candidates_[place];
    for (const Worker& worker : workers) exposure[place] += worker.exposure[item];
    shown += exposure[place];
    seen += exposure[place] > 0 ? 1 : 0;
    tail += item_group_[item] == 2 ? exposure[place] : 0;
    const double count = static_cast<double>(exposure[place]);
    popularity += count * dataset_.item_popularity[item];
    information += count * self_information(dataset_.item_popularity[item], users);
  }
  if (shown == 0) return;
  result.coverage = static_cast<double>(seen) / static_cast<double>(exposure.size());
  result.gini = gini_of(exposure);
  result.mean_popularity = popularity / static_cast<double>(shown);
  result.tail_share = static_cast<double>(tail) / static_cast<double>(shown);
  result.aclt = static_cast<double>(tail) / static_cast<double>(users_.size());
  result.novelty = information / static_cast<double>(shown);
}

double gini_of(std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end());
  const double n = static_cast<double>(sorted.size());
  double total = 0, weighted = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double count = static_cast<double>(sorted[i]);
    total += count;
    weighted += (2.0 * static_cast<double>(i + 1) - n - 1.0) * count;
  }
  return total > 0 ? weighted / (n * total) : 0.0;
}

}  // namespace evenkeel::eval
