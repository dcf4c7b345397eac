// In: fronts of seeds. Out: one front per method, and who is ahead at equal Recall as logged.
#include "analysis/front_comparison.h"

#include <algorithm>

#include "base/error.h"
#include "eval/significance.h"

namespace evenkeel::analysis {
namespace {

// The figure of every user, in the rows of `users`, ascending.
std::vector<eval::UserResult> in_rows_of(const data::Ids& users, const model::Model& model,
                                         std::span<const eval::UserResult> figures,
                                         double eval::UserResult::*figure) {
  std::vector<eval::UserResult> known;
  for (const eval::UserResult& user : figures) {
    if (const auto row = users.find(model.user_ids.text(user.user))) {
      known.push_back({*row, user.*figure});
    }
  }
  std::sort(known.begin(), known.end(),
            [](const auto& a, const auto& b) { return a.user < b.user; });
  return known;
}

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
    both.push_back({user.user, (known ? before->recall : 0) + weight * user.recall});
  }
  sums = std::move(both);
}

bool holds(std::span<const std::uint64_t> tests, std::uint64_t test) {
  return std::find(tests.begin(), tests.end(), test) != tests.end();
}

}  // namespace

MethodFront mean_front(const FrontCurve& curve, std::vector<Front> seeds) {
  EVENKEEL_CHECK(!seeds.empty());
  MethodFront method;
  method.curve = curve;
  method.seeds = std::move(seeds);
  const auto count = static_cast<double>(method.seeds.size());
  method.paired.assign(method.seeds.size(), true);
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

SeedPairs pair_seeds(std::span<const std::vector<std::uint64_t>> tests) {
  SeedPairs pairs;
  std::vector<std::uint64_t> shared;
  for (std::size_t m = 0; m < tests.size(); ++m) {
    if (m == 0) shared = tests[m];
    std::erase_if(shared, [&](std::uint64_t test) { return !holds(tests[m], test); });
    for (std::size_t other = 0; shared.empty() && !pairs.apart && other < m; ++other) {
      if (!holds(tests[other], tests[m].front())) pairs.apart = std::pair(other, m);
    }
  }
  for (const std::vector<std::uint64_t>& seeds : tests) {
    pairs.paired.emplace_back();
    for (const std::uint64_t test : seeds) pairs.paired.back().push_back(holds(shared, test));
  }
  return pairs;
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
                  const FrontAxes& axes, double level, const data::Ids& users, Threads& threads) {
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
  if (!method.paired[seed]) return;
  const auto first = std::find(method.paired.begin(), method.paired.end(), true);
  const auto pairs = std::count(method.paired.begin(), method.paired.end(), true);
  add_users(at.users.per_user,
            in_rows_of(users, model, balanced.per_user,
                       axes.estimated ? &eval::UserResult::balanced : &eval::UserResult::recall),
            method.paired.begin() + static_cast<std::ptrdiff_t>(seed) == first,
            1 / static_cast<double>(pairs));
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
