// Evaluation behind a reranker. In: an evaluator of a part, vectors and a reranker; out: the same
// figures as without it, of the lists that it makes.
#pragma once

#include "eval/evaluate.h"
#include "rank/rerank.h"

namespace evenkeel {

// Of every user the best `candidates` items (k at least) are handed to the reranker.
Evaluation evaluate_reranked(Evaluator& evaluator, const VectorView& vectors,
                             const Reranker& reranker, const EvaluateOptions& options,
                             std::size_t candidates, Threads& threads);

}  // namespace evenkeel
