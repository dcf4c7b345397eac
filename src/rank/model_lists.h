// Everything that answers for one model, prepared once. In: a model; out: lists for its users, for
// people known by their items, and for items, from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "rank/exact_index.h"
#include "rank/fold_in.h"
#include "rank/recommend.h"
#include "rank/reranking.h"

namespace evenkeel::rank {

class ModelLists {
 public:
  ModelLists(const model::Model& model, Threads& threads);  // the model must outlive it

  const model::Model& model() const { return model_; }
  const ExactIndex& ranking() const { return ranking_; }    // by the model's score
  const ExactIndex& likeness() const;                       // by the cosine of item vectors
  const FoldIn& fold_in() const;                            // made when first asked for
  const PopularItems& popular() const { return popular_; }  // by training count

  // A strength that this model can rank with, or the sentence of the command line.
  double checked_debias(double strength) const;
  double checked_likeness_debias(double strength) const;

  // What is asked for, on this model's counts, which are sorted once; it must not outlive this.
  Reranking reranking(const RerankAsk& ask) const;

  std::vector<Row> seen(Row user) const;  // all that the log holds of the user, ascending

 private:
  const model::Model& model_;
  mutable ExactIndex ranking_;
  PopularItems popular_;
  mutable std::mutex mutex_;        // of what is made later
  mutable bool knows_temperature_;  // old models fit theirs when it is needed
  mutable std::unique_ptr<ExactIndex> cosines_;
  mutable std::unique_ptr<FoldIn> fold_in_;
  mutable std::unique_ptr<RerankInputs> rerank_inputs_;
};

}  // namespace evenkeel::rank
