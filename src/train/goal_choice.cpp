// In: vectors that are trained. Out: how much popularity to take out of their rankings, and why.
#include "train/goal_choice.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "rank/correction.h"
#include "rank/temperature.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;

void say_even(const data::Dataset& data, Observer& observer) {
  const auto exponent = eval::popularity_exponent(data.item_popularity, data.valid);
  if (!exponent.even()) return;
  observer.on_message(
      fmt::format("validation goes with popularity to the power {:.2f} alone, so it is balanced "
                  "already: its pairs are weighed by that",
                  exponent.value));
}

void say_choice(const rank::Dial& dial, const TrainOptions& options, Observer& observer) {
  if (options.debias || dial.points.size() == 1) return;
  if (dial.thin) {
    observer.on_message(
        fmt::format("the {} validation users are too few to choose --debias by: its gain of {:.4f} "
                    "has a standard error of {:.4f}; rankings stay as logged unless you give one",
                    dial.users, dial.gain, dial.gain_error));
    return;
  }
  observer.on_message(fmt::format("--debias {} serves the goal {} best on validation ({} users)",
                                  dial.choice().debias, eval::goal_name(options.goal), dial.users));
}

}  // namespace

void check_goal(const TrainOptions& options, const data::Dataset& data) {
  if (data.valid.interactions() > 0) return;
  if (options.goal != eval::Goal::kLogged) {
    fail_config(
        "--goal {} is measured on validation, but there is none; give --validation, or --goal "
        "logged with --debias G",
        eval::goal_name(options.goal));
  }
  if (!options.debias) {
    fail_config(
        "--debias auto is chosen on validation, but there is none; give --validation, or a "
        "number as in --debias 0.3");
  }
}

json dial_json(const rank::Dial& dial, eval::Goal goal) {
  json points = json::array();
  for (const rank::DialPoint& point : dial.points) {
    points.push_back({{"debias", point.debias},
                      {"recall@20", point.valid.logged},
                      {"balanced_recall@20", point.valid.balanced}});
  }
  return {{"goal", eval::goal_name(goal)},
          {"debias", dial.choice().debias},
          {"temperature", dial.temperature},
          {"users", dial.users},
          {"gain", dial.gain},
          {"gain_error", dial.gain_error},
          {"balanced_error", dial.balanced_error},
          {"thin", dial.thin},
          {"points", std::move(points)}};
}

json choose_correction(model::Model& model, const data::Dataset& data, const TrainOptions& options,
                       Threads& threads, Observer& observer, cluster::Cluster& ranks) {
  const eval::VectorView vectors{model.users, model.items, model.score};
  if (model.temperature == 0) {
    model.temperature =
        rank::fit_temperature(vectors, data, data.valid, threads, ranks).value_or(0);
  }
  model.debias = options.debias.value_or(0);
  if (rank::evenly_popular(data.item_popularity) && (model.debias > 0 || !options.debias)) {
    observer.on_message("every item is equally popular, so --debias changes nothing");
    model.debias = 0;
  }
  if (model.temperature == 0) {
    if (model.debias > 0) {
      fail_run(
          "--debias {}: the scores of this model tell nothing about validation pairs, so they "
          "have no temperature to correct by; train longer, or leave --debias out",
          model.debias);
    }
    return nullptr;
  }
  if (data.valid.interactions() == 0) return nullptr;
  if (options.goal != eval::Goal::kLogged) say_even(data, observer);
  const rank::Dial dial = rank::turn_dial(
      {vectors, data, model.temperature, options.goal, options.debias, {ranks, &model.users}},
      threads);
  model.debias = dial.choice().debias;
  say_choice(dial, options, observer);
  return dial_json(dial, options.goal);
}

}  // namespace evenkeel::train
