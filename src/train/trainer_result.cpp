// In: the best epoch, or the one that has just ended. Out: its vectors, as lists will use them.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

// No command reads a model with a NaN in it, so none is made.
void check_finite(const Matrix& table, std::string_view side, double learning_rate) {
  for (std::size_t r = table.held().begin; r < table.held().end; ++r) {
    for (const float value : table.values(r)) {
      if (std::isfinite(value)) continue;
      fail_run("training diverged: the vector of {} {} holds {}; lower --lr (now {})", side, r,
               value, learning_rate);
    }
  }
}

}  // namespace

// A training that was stopped before its first validation has no best epoch to choose.
void Trainer::ensure_best() {
  if (state_.best_epoch > 0) return;
  finalize_vectors();
  state_.best_epoch = std::max(1, static_cast<int>(state_.events.size()));
  keep_best(encoder_->vectors(Side::kUser), encoder_->vectors(Side::kItem));
}

void Trainer::make_best_whole(Side side) {
  if (best(side).holds_all()) return;
  best(side) = cluster::whole_table(ranks_, best(side), cluster::row_cuts(ranks_, best(side)));
}

double Trainer::given_parameter() const {
  return entry_.ranking.vectors == nullptr ? 0.0
                                           : std::max(0.0, settings_.number(entry_.ranking.option));
}

double Trainer::known_temperature() const {
  return entry_.calibrated && score() == model::Score::kCosine ? settings_.number("tau") : 0.0;
}

model::Score Trainer::score() const {
  return entry_.ranking.vectors != nullptr ? model::Score::kDot : options_.score;
}

loss::RankingVectors Trainer::ranking_vectors(const Matrix& users, const Matrix& items,
                                              double parameter) const {
  if (entry_.ranking.vectors != nullptr) {
    return entry_.ranking.vectors(users, items, extra_, parameter);
  }
  return {users.first_rows(users.rows() - extra_.users),
          items.first_rows(items.rows() - extra_.items)};
}

TrainedVectors Trainer::trained(loss::RankingVectors vectors) const {
  TrainedVectors result;
  result.users = std::move(vectors.users);
  result.items = std::move(vectors.items);
  result.score = score();
  result.temperature = known_temperature();
  cluster::together(ranks_, [&] {
    check_finite(result.users, "user", settings_.number("lr"));
    check_finite(result.items, "item", settings_.number("lr"));
  });
  return result;
}

TrainedVectors Trainer::current() {
  finalize_vectors();
  return trained(ranking_vectors(encoder_->vectors(Side::kUser), encoder_->vectors(Side::kItem),
                                 given_parameter()));
}

void Trainer::give_back() {
  step_.reset();
  users_.reset();
  items_.reset();
  positives_.reset();
  encoder_.reset();
}

TrainedVectors Trainer::result(Observer& observer) {
  ensure_best();
  const bool users_divided = !encoder_->vectors(Side::kUser).holds_all();  // they stay so
  give_back();
  if (!users_divided) make_best_whole(Side::kUser);
  make_best_whole(Side::kItem);
  double parameter = given_parameter();
  const loss::RankingRule& rule = entry_.ranking;
  if (rule.vectors != nullptr && settings_.number(rule.option) < 0 && evaluator_ != nullptr) {
    double best = -1;
    for (int candidate = 0; candidate <= rule.most; ++candidate) {
      const double figure =
          validation(best_users_, best_items_, candidate).goals().of(options_.goal);
      if (figure > best) {
        best = figure;
        parameter = candidate;
      }
    }
    observer.on_message(fmt::format("{} = {} has the best validation Recall@20 ({}), {:.4f}",
                                    rule.option, parameter, eval::goal_name(options_.goal), best));
  }
  const bool as_they_are = rule.vectors == nullptr && extra_.users + extra_.items == 0;
  EVENKEEL_CHECK(as_they_are || best_users_.holds_all());
  TrainedVectors result =
      trained(as_they_are ? loss::RankingVectors{std::move(best_users_), std::move(best_items_)}
                          : ranking_vectors(best_users_, best_items_, parameter));
  if (rule.vectors != nullptr) result.parameters[std::string(rule.option)] = parameter;
  if (extra_.users > 0) result.extra["extra_users"] = best_users_.last_rows(extra_.users);
  if (extra_.items > 0) result.extra["extra_items"] = best_items_.last_rows(extra_.items);
  if (!extractor_.users.empty()) {
    result.extra["extractor_users"] = extractor_.users;
    result.extra["extractor_items"] = extractor_.items;
  }
  return result;
}

}  // namespace evenkeel::train
