// In: a reranker. Out: the evaluation of its lists.
#include "rank/evaluate_reranked.h"

namespace evenkeel::rank {

eval::Evaluation evaluate_reranked(eval::Evaluator& evaluator, const eval::VectorView& vectors,
                                   const Reranker& reranker, const eval::EvaluateOptions& options,
                                   std::size_t candidates, Threads& threads) {
  std::vector<std::vector<kernels::Ranked>> lists(static_cast<std::size_t>(threads.count()));
  const auto choose = [&](Row user, std::span<const kernels::Ranked> best, int worker) {
    std::vector<kernels::Ranked>& list = lists[static_cast<std::size_t>(worker)];
    reranker.rerank(user, best, options.k, list);
    return std::span<const kernels::Ranked>(list);
  };
  const eval::ListRule rule{candidates, choose};
  return evaluator.evaluate(vectors, options, threads, &rule);
}

}  // namespace evenkeel::rank
