// In: a model. Out: its indices and what they need.
#include "rank/model_lists.h"

#include "base/error.h"
#include "model/model_data.h"
#include "rank/correction.h"

namespace evenkeel::rank {

ModelLists::ModelLists(const model::Model& model, Threads& threads)
    : model_(model),
      ranking_(model.items, model.score, model.item_popularity, model.temperature, threads),
      popular_(model),
      knows_temperature_(model.temperature > 0) {}

const ExactIndex& ModelLists::likeness() const {
  if (model_.score == model::Score::kCosine) return ranking_;
  const std::lock_guard lock(mutex_);
  if (!cosines_) {
    Threads one(1);
    cosines_ = std::make_unique<ExactIndex>(model_.items, model::Score::kCosine,
                                            model_.item_popularity, 0, one);
  }
  return *cosines_;
}

const FoldIn& ModelLists::fold_in() const {
  const std::lock_guard lock(mutex_);
  if (!fold_in_) fold_in_ = std::make_unique<FoldIn>(model_);
  return *fold_in_;
}

double ModelLists::checked_debias(double strength) const {
  if (check_debias(strength) == 0) return strength;
  const std::lock_guard lock(mutex_);
  if (!knows_temperature_) {
    Threads one(1);
    ranking_.know_temperature(need_temperature(model_, one));
    knows_temperature_ = true;
  }
  return strength;
}

double ModelLists::checked_likeness_debias(double strength) const {
  if (check_debias(strength) > 0) check_likeness_debias(model_);
  return checked_debias(strength);
}

Reranking ModelLists::reranking(const RerankAsk& ask) const {
  if (ask.entry == nullptr) return {};
  const std::lock_guard lock(mutex_);
  if (!rerank_inputs_) rerank_inputs_ = std::make_unique<RerankInputs>(model_.item_popularity);
  return {ask, *rerank_inputs_};
}

std::vector<Row> ModelLists::seen(Row user) const {
  return model::seen_items(model_, std::span(&user, 1)).columns;
}

}  // namespace evenkeel::rank
