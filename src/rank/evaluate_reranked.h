// Evaluation behind a reranker. In: an evaluator of a part, vectors and a reranker; out: the same
// figures as without it, of the lists that it makes.
#pragma once

#include "eval/evaluate.h"
#include "rank/rerank.h"

namespace evenkeel::rank {

// Of every user the best `candidates` items (k at least) are handed to the reranker.
eval::Evaluation evaluate_reranked(eval::Evaluator& evaluator, const eval::VectorView& vectors,
                                   const Reranker& reranker, const eval::EvaluateOptions& options,
                                   std::size_t candidates, Threads& threads);

}  // namespace evenkeel::rank
