// In: a model and its data. Out: figures, exposure and lists at every strength of the dial.
#include "analysis/front_detail.h"

#include <algorithm>
#include <optional>
#include <set>

#include "rank/correction.h"
#include "rank/dial.h"

namespace evenkeel::analysis {
namespace {

// Scores that one ranking may cost: a fifth of a second of two cores at 64 dimensions.
constexpr std::size_t kFrontScores = 200'000'000, kLeastUsers = 1'000, kMostUsers = 20'000;

// At most `most` of `count` places, evenly spread.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t kept = std::min(count, most);
  for (std::size_t n = 0; n < kept; ++n) places.push_back(n * count / kept);
  return places;
}

eval::Evaluator sampled(const data::Dataset& data, const std::string& part) {
  eval::Evaluator evaluator(data, front_part(data, part));
  const std::size_t all = evaluator.users().size(), wanted = front_users(data.item_count());
  if (all > wanted) evaluator.keep_users(spread(all, wanted));
  return evaluator;
}

std::vector<double> strengths_of(const model::Model& model) {
  std::set<double> strengths(rank::dial_strengths().begin(), rank::dial_strengths().end());
  strengths.insert(model.debias);
  return {strengths.begin(), strengths.end()};
}

std::array<double, 3> recall_of_groups(const eval::Evaluation& evaluation) {
  std::array<double, 3> recall{};
  for (std::size_t g = 0; g < recall.size(); ++g) recall[g] = evaluation.item_groups[g].recall;
  return recall;
}

// Adds what the lists of one strength bring up anew.
class Pools {
 public:
  Pools(const model::Model& model, std::span<const Row> users)
      : model_(model),
        users_(users.begin(), users.end()),
        prior_(rank::log_prior(model.item_popularity)),
        pools_(users.size()) {}

  void add(const eval::VectorView& view, double debias, Threads& threads) {
    if (users_.empty()) return;
    // Strength 0 ranks by the model's own score, others by the score / T less the prior's share.
    const double scale = debias == 0 ? 1 / model_.temperature : 1;
    eval::Ranker ranker;
    ranker.prepare(view, threads);
    ranker.rank(
        users_, &model_.known, rank::kDialK, threads,
        [&](std::size_t place, std::span<const kernels::Ranked> list, int) {
          ListPool& pool = pools_[place];
          for (const kernels::Ranked& entry : list) {
            if (std::find(pool.items.begin(), pool.items.end(), entry.item) != pool.items.end()) {
              continue;
            }
            pool.items.push_back(entry.item);
            pool.scores.push_back(scale * double{entry.score} + debias * prior_[entry.item]);
          }
        });
  }
  std::vector<ListPool> take() { return std::move(pools_); }

 private:
  const model::Model& model_;
  std::vector<Row> users_;
  std::vector<double> prior_;
  std::vector<ListPool> pools_;
};

}  // namespace

std::size_t front_users(std::size_t items) {
  return std::clamp(kFrontScores / std::max<std::size_t>(items, 1), kLeastUsers, kMostUsers);
}

FrontDetail trace_front_detail(const model::Model& model, const data::Dataset& data,
                               const FrontAxes& axes, std::span<const Row> pool_users,
                               Threads& threads) {
  FrontDetail detail;
  detail.temperature = rank::need_temperature(model, threads);
  model::Model known = model;  // so that an unknown temperature is fitted once
  known.temperature = detail.temperature;
  eval::Evaluator logged = sampled(data, axes.logged);
  std::optional<eval::Evaluator> balanced;
  if (!axes.estimated) balanced.emplace(sampled(data, axes.balanced));
  detail.logged_users = logged.users().size();
  detail.balanced_users = balanced ? balanced->users().size() : detail.logged_users;
  std::vector<Row> shown = users_with_items(model);
  std::vector<Row> list_users;
  for (const std::size_t place : spread(shown.size(), front_users(data.item_count()))) {
    list_users.push_back(shown[place]);
  }
  detail.list_users = list_users.size();
  Pools pools(known, pool_users);
  const eval::EvaluateOptions options{rank::kDialK, true, false};
  std::vector<FrontPoint> points;
  for (const double debias : strengths_of(known)) {
    const rank::ModelRanking ranking(known, debias, threads);
    const eval::Evaluation first = logged.evaluate(ranking.view(), options, threads);
    FrontStop stop{{debias, first.overall.recall, first.balanced, first.overall.ndcg, 0},
                   recall_of_groups(first),
                   recall_of_groups(first),
                   {}};
    if (balanced) {
      const eval::Evaluation second = balanced->evaluate(ranking.view(), options, threads);
      stop.point.balanced = second.overall.recall;
      stop.point.balanced_ndcg = second.overall.ndcg;
      stop.balanced_items = recall_of_groups(second);
    }
    stop.exposure = measure_exposure(
        count_exposure(ranking.view(), known.known, list_users, rank::kDialK, threads),
        known.item_popularity);
    pools.add(ranking.view(), debias, threads);
    points.push_back(stop.point);
    detail.stops.push_back(std::move(stop));
  }
  detail.area = area_under(points);
  detail.pools = pools.take();
  return detail;
}

}  // namespace evenkeel::analysis
