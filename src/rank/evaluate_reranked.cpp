// In: a reranker. Out: the evaluation of its lists.
#include "rank/evaluate_reranked.h"

namespace evenkeel {

Evaluation evaluate_reranked(Evaluator& evaluator, const VectorView& vectors,
                             const Reranker& reranker, const EvaluateOptions& options,
                             std::size_t candidates, Threads& threads) {
  std::vector<std::vector<Ranked>> lists(static_cast<std::size_t>(threads.count()));
  const auto choose = [&](Row user, std::span<const Ranked> best, int worker) {
    std::vector<Ranked>& list = lists[static_cast<std::size_t>(worker)];
    reranker.rerank(user, best, options.k, list);
    return std::span<const Ranked>(list);
  };
  const ListRule rule{candidates, choose};
  return evaluator.evaluate(vectors, options, threads, &rule);
}

}  // namespace evenkeel
