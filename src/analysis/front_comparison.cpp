// In: fronts of seeds. Out: one front per method, and who is ahead at equal Recall as logged.
#include "analysis/front_comparison.h"

#include <algorithm>

#include "base/error.h"
#include "eval/significance.h"

namespace evenkeel::analysis {
namespace {

// Adds a seed's figures to the sums so far. A seed may cut the log by itself, so that others are
// under test: users whom a seed lacks are dropped. Both lists ascend by user.
void add_users(std::vector<eval::UserResult>& sums, std::span<const eval::UserResult> seed,
               bool first, double weight) {
  std::vector<eval::UserResult> both;
  auto before = sums.begin();
  for (const eval::UserResult& user : seed) {
    while (before != sums.end() && before->user < user.user) ++before;
    const bool known = before != sums.end() && before->user == user.user;
    if (!first && !known) continue;
    both.push_back({user.user, (known ? before->recall : 0) + weight * user.recall, 0});
  }
  sums = std::move(both);
}

}  // namespace

MethodFront mean_front(const FrontCurve& curve, std::vector<Front> seeds) {
  EVENKEEL_CHECK(!seeds.empty());
  MethodFront method;
  method.curve = curve;
  method.seeds = std::move(seeds);
  const auto count = static_cast<double>(method.seeds.size());
  for (const Front& front : method.seeds) method.area.add(front.area);
  for (std::size_t i = 0; i < method.seeds.front().points.size(); ++i) {
    FrontPoint mean{method.seeds.front().points[i].debias};
    for (const Front& front : method.seeds) {
      mean.logged += front.points[i].logged / count;
      mean.balanced += front.points[i].balanced / count;
      mean.logged_ndcg += front.points[i].logged_ndcg / count;
      mean.balanced_ndcg += front.points[i].balanced_ndcg / count;
    }
    method.points.push_back(mean);
  }
  return method;
}

double common_level(std::span<const MethodFront> methods) {
  double level = 1;
  for (const MethodFront& method : methods) {
    double best = 0;
    for (const FrontPoint& point : method.points) best = std::max(best, point.logged);
    level = std::min(level, kLevelShare * best);
  }
  return level;
}

void add_at_level(MethodFront& method, std::size_t seed, const model::Model& model,
                  const FrontAxes& axes, double level, Threads& threads) {
  const auto count = static_cast<double>(method.seeds.size());
  const double strength = strength_at(method.seeds[seed].points, level).value_or(0);
  const eval::Evaluation balanced =
      at_strength(model, axes.balanced, method.curve, strength, threads);
  const eval::Evaluation logged =
      axes.logged == axes.balanced
          ? balanced
          : at_strength(model, axes.logged, method.curve, strength, threads);
  AtLevel& at = method.at_level;
  at.strength += strength / count;
  at.logged += logged.overall.recall / count;
  at.balanced += (axes.estimated ? balanced.balanced : balanced.overall.recall) / count;
  add_users(at.users.per_user, balanced.per_user, seed == 0, 1 / count);
}

void set_p_values(std::span<MethodFront> methods) {
  std::vector<double> raw;
  for (std::size_t m = 1; m < methods.size(); ++m) {
    const eval::PairedFigures pairs = eval::pair_users(
        methods[m].at_level.users, methods.front().at_level.users, &eval::UserResult::recall);
    raw.push_back(eval::paired_t_test(pairs.a, pairs.b).p);
  }
  const std::vector<double> adjusted = eval::holm_adjusted(raw);
  for (std::size_t m = 1; m < methods.size(); ++m) methods[m].p_value = adjusted[m - 1];
}

}  // namespace evenkeel::analysis
