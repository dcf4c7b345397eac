// In: the vectors of an epoch. Out: its figures on validation, and the best epoch so far.
#include <algorithm>
#include <chrono>

#include "base/seconds.h"
#include "rank/correction.h"
#include "rank/temperature.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

constexpr std::size_t kStopK = 20;  // early stopping watches Recall@20

// In place where there is room: no second copy, not even for a moment.
void keep_copy(const Matrix& vectors, RowRange rows, Matrix& kept) {
  if (kept.rows() != vectors.rows() || kept.dim() != vectors.dim() || kept.held() != rows) {
    kept = Matrix(vectors.rows(), vectors.dim(), rows);
  }
  if (rows.size() == 0) return;
  std::copy(vectors.row(rows.begin), vectors.row(rows.end), kept.row(rows.begin));
}

}  // namespace

void Trainer::validate(EpochProgress& news) {
  const auto start = std::chrono::steady_clock::now();
  finalize_vectors();
  average_.add(encoder_->vectors(Side::kUser), encoder_->vectors(Side::kItem), threads_);
  if (evaluator_ == nullptr) {  // nothing to choose by: the last epoch is the result
    news.best = true;
  } else {
    const auto held = [&](Side side) -> Matrix& {
      return average_.on() ? average_.mean(side) : encoder_->table(side);
    };
    evaluator_->borrow_users(held(Side::kUser));
    lend_items(held(Side::kItem));
    const eval::Evaluator::Quick quick =
        validation(ranking(Side::kUser), ranking(Side::kItem), given_parameter());
    held(Side::kUser).release_others();
    // The table keeps what the next steps write to anyway.
    if (average_.on()) held(Side::kItem).release_others();
    evaluator_->release_items();
    news.recall = quick.recall;
    news.ndcg = quick.ndcg;
    news.balanced = quick.balanced;
    news.figure = quick.goals().of(options_.goal);
    news.best = *news.figure > state_.best_figure;
  }
  if (news.best) {
    state_.best_figure = news.figure.value_or(0);
    state_.best_epoch = news.epoch;
    state_.without_gain = 0;
    keep_best(ranking(Side::kUser), ranking(Side::kItem));
  } else {
    ++state_.without_gain;
  }
  news.evaluate_seconds = seconds_since(start);
  state_.evaluate_seconds += news.evaluate_seconds;
}

RowRange Trainer::best_rows(Side side) const {
  const Matrix& vectors = encoder_->vectors(side);
  if (!vectors.holds_all()) return vectors.held();
  const bool too_few = vectors.rows() < static_cast<std::size_t>(ranks_.size());
  if (too_few) return {0, vectors.rows()};
  const auto cuts = cluster::even_cuts(vectors.rows(), 1, ranks_.size());
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  return {cuts[rank], cuts[rank + 1]};
}

void Trainer::keep_best(const Matrix& users, const Matrix& items) {
  keep_copy(users, best_rows(Side::kUser), best_users_);
  keep_copy(items, best_rows(Side::kItem), best_items_);
}

const Matrix& Trainer::ranking(Side side) {
  return average_.on() ? average_.mean(side) : encoder_->vectors(side);
}

eval::Evaluator::Quick Trainer::validation(const Matrix& users, const Matrix& items,
                                           double parameter) {
  if (entry_.ranking.vectors == nullptr && extra_.users + extra_.items == 0) {
    return corrected_validation({users, items, options_.score});
  }
  const loss::RankingVectors vectors = ranking_vectors(users, items, parameter);
  return corrected_validation({vectors.users, vectors.items, score()});
}

// With the correction that the goal is expected to choose: an epoch is judged as it will be used.
eval::Evaluator::Quick Trainer::corrected_validation(const eval::VectorView& vectors) {
  const double debias = trial_debias(options_);
  double temperature = debias == 0 ? 0.0 : known_temperature();
  if (debias != 0 && temperature == 0) temperature = fitted_temperature(vectors);
  if (temperature == 0) return evaluator_->quick(vectors, kStopK, threads_);  // nothing learned yet
  rank::CorrectedVectors with =
      rank::corrected(vectors, data_.item_popularity, {debias, temperature}, threads_);
  evaluator_->borrow_users(with.users);
  return evaluator_->quick(with.view(), kStopK, threads_);
}

double Trainer::fitted_temperature(const eval::VectorView& vectors) {
  return rank::fit_temperature(vectors, data_, data_.valid, threads_, ranks_).value_or(0);
}

}  // namespace evenkeel::train
