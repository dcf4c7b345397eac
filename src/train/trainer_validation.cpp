// In: the vectors of an epoch. Out: its figures on validation, and the best epoch so far.
#include <algorithm>
#include <chrono>

#include "base/seconds.h"
#include "cluster/held_rows.h"
#include "rank/correction.h"
#include "rank/temperature.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

constexpr std::size_t kStopK = 20;  // early stopping watches Recall@20

}  // namespace

void Trainer::validate(EpochProgress& news) {
  const auto start = std::chrono::steady_clock::now();
  finalize_vectors();
  average_.add(encoder_->vectors(Side::kUser), encoder_->vectors(Side::kItem), threads_);
  if (evaluator_ == nullptr) {  // nothing to choose by: the last epoch is the result
    news.best = true;
  } else {
    Matrix& held = average_.on() ? average_.mean(Side::kUser) : encoder_->table(Side::kUser);
    borrow_users(held);
    const eval::Evaluator::Quick quick =
        validation(ranking(Side::kUser), ranking(Side::kItem), given_parameter());
    held.release_others();
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
    best_users_ = ranking(Side::kUser);
    best_items_ = ranking(Side::kItem);
  } else {
    ++state_.without_gain;
  }
  news.evaluate_seconds = seconds_since(start);
  state_.evaluate_seconds += news.evaluate_seconds;
}

const Matrix& Trainer::ranking(Side side) {
  return average_.on() ? average_.mean(side) : encoder_->vectors(side);
}

// Figures are summed in blocks of users, and the last block of a rank may reach into the next
// one's.
void Trainer::borrow_users(Matrix& users) {
  if (users.holds_all()) return;
  std::vector<Row> rows;
  const auto lent = evaluator_->lent_users();
  for (const auto& [user, to] : lent) rows.push_back(user);
  const Matrix fetched =
      cluster::fetched_rows(ranks_, users, encoder_->owned_rows(Side::kUser), rows);
  for (std::size_t k = 0; k < lent.size(); ++k) {
    if (lent[k].to != static_cast<std::size_t>(ranks_.rank())) continue;
    std::copy_n(fetched.row(k), fetched.stride(), users.row(lent[k].user));
  }
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
  borrow_users(with.users);
  return evaluator_->quick(with.view(), kStopK, threads_);
}

double Trainer::fitted_temperature(const eval::VectorView& vectors) {
  if (vectors.users.holds_all()) {
    return rank::fit_temperature(vectors, data_, data_.valid, threads_).value_or(0);
  }
  const Matrix users = cluster::fetched_rows(
      ranks_, vectors.users, encoder_->owned_rows(Side::kUser), rank::fitted_users(data_.valid));
  return rank::fit_temperature_of_fitted_users({users, vectors.items, vectors.score}, data_,
                                               data_.valid, threads_)
      .value_or(0);
}

}  // namespace evenkeel::train
