// In: candidates and the user's history. Out: a list chosen greedily, group by group.
#include "rank/group_rerank.h"

#include <algorithm>
#include <array>

namespace evenkeel::rank {

GroupReranker::GroupReranker(const RerankInputs& inputs, double weight)
    : item_group_(inputs.item_group), weight_(weight) {}

void GroupReranker::rerank(std::span<const Row> history,
                           std::span<const kernels::Ranked> candidates, std::size_t k,
                           std::vector<kernels::Ranked>& list) const {
  k = std::min(k, candidates.size());
  list.assign(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(k));
  if (history.empty()) return;
  const eval::PopularityShares wanted = eval::shares_of(eval::count_groups(history, item_group_));
  std::vector<double> relevance;
  relevance_of(candidates, relevance);

  eval::GroupCounts counts{};
  std::array<std::size_t, 3> next{};  // the first candidate left of each group
  const auto advance = [&](std::size_t group, std::size_t from) {
    while (from < candidates.size() && item_group_[candidates[from].item] != group) ++from;
    next[group] = from;
  };
  for (std::size_t group = 0; group < next.size(); ++group) advance(group, 0);
  for (std::size_t taken = 0; taken < k; ++taken) {
    const Step step{wanted, counts, taken, k};
    std::size_t best = candidates.size(), best_group = 0;
    double best_gain = 0;
    for (std::size_t group = 0; group < next.size(); ++group) {
      if (next[group] == candidates.size()) continue;
      const double value = gain(step, group, relevance[next[group]]);
      const bool first = best == candidates.size();
      if (first || value > best_gain || (value == best_gain && next[group] < best)) {
        best = next[group];
        best_group = group;
        best_gain = value;
      }
    }
    list[taken] = candidates[best];
    ++counts[best_group];
    advance(best_group, best + 1);
  }
}

double CalibratedReranker::gain(const Step& step, std::size_t group, double relevance) const {
  eval::GroupCounts with = step.counts;
  ++with[group];
  return (1 - weight()) * relevance / static_cast<double>(step.places) -
         weight() * eval::jensen_shannon_divergence(step.wanted, eval::shares_of(with));
}

double XquadReranker::gain(const Step& step, std::size_t group, double relevance) const {
  const double held =
      step.taken == 0 ? 0.0
                      : static_cast<double>(step.counts[group]) / static_cast<double>(step.taken);
  return (1 - weight()) * relevance + weight() * step.wanted[group] * (1 - held);
}

}  // namespace evenkeel::rank
