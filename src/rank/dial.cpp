// In: a trained ranking. Out: what each strength of the correction does to both goals.
#include "rank/dial.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/rng.h"
#include "cluster/held_rows.h"
#include "eval/evaluate.h"
#include "rank/correction.h"

namespace evenkeel::rank {
namespace {

constexpr std::uint64_t kSeed = 1;  // of the sample and the bootstrap
constexpr int kDraws = 200;
// Scores that one strength may cost: about two seconds of two cores at 64 dimensions.
constexpr std::size_t kDialScores = 2'000'000'000, kLeastUsers = 2'000, kMostUsers = 30'000;

// A seeded sample of the users that have validation items; all of them where they are few.
void sample_users(eval::Evaluator& evaluator, std::size_t items) {
  const std::size_t all = evaluator.users().size();
  const std::size_t wanted = std::clamp(kDialScores / items, kLeastUsers, kMostUsers);
  if (all <= wanted) return;
  const Random random(kSeed, Purpose::kDial);
  const double chance = static_cast<double>(wanted) / static_cast<double>(all);
  std::vector<std::size_t> kept;
  for (std::size_t place = 0; place < all; ++place) {
    if (random.uniform(static_cast<std::uint32_t>(place), 0) < chance) kept.push_back(place);
  }
  evaluator.keep_users(kept);
}

// How often a user is drawn in one draw of the bootstrap: Poisson with mean 1.
int times_drawn(double uniform) {
  double term = std::exp(-1.0), sum = term;
  int count = 0;
  while (uniform > sum && count < 20) {
    ++count;
    term /= count;
    sum += term;
  }
  return count;
}

class Bootstrap {
 public:
  using Users = std::vector<eval::Evaluator::UserGoals>;
  Bootstrap(const Users& before, const Users& after, eval::Goal goal) {
    const eval::GoalFigures base = figures(before, {}), best = figures(after, {});
    gain_ = best.of(goal) - base.of(goal);
    const Random random(kSeed, Purpose::kBootstrap, 1);
    std::vector<int> times(before.size());
    double gains = 0, gain_squares = 0, figure = 0, figure_squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      for (std::size_t u = 0; u < times.size(); ++u) {
        times[u] = times_drawn(
            random.uniform(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(draw)));
      }
      const eval::GoalFigures a = figures(before, times), b = figures(after, times);
      const double gain = b.of(goal) - a.of(goal);
      gains += gain;
      gain_squares += gain * gain;
      figure += b.balanced;
      figure_squares += b.balanced * b.balanced;
    }
    gain_error_ = deviation(gains, gain_squares);
    balanced_error_ = deviation(figure, figure_squares);
  }
  double gain() const { return gain_; }
  double gain_error() const { return gain_error_; }
  double balanced_error() const { return balanced_error_; }

 private:
  static eval::GoalFigures figures(const Users& users, std::span<const int> times) {
    double drawn = 0, recall = 0, hits = 0, weight = 0;
    for (std::size_t u = 0; u < users.size(); ++u) {
      const double by = times.empty() ? 1.0 : times[u];
      drawn += by;
      recall += by * users[u].recall;
      hits += by * users[u].weighted_hits;
      weight += by * users[u].weight;
    }
    return {drawn > 0 ? recall / drawn : 0, weight > 0 ? hits / weight : 0};
  }
  static double deviation(double sum, double squares) {
    const double mean = sum / kDraws;
    return std::sqrt(std::max(0.0, squares / kDraws - mean * mean));
  }
  double gain_ = 0, gain_error_ = 0, balanced_error_ = 0;
};

// What `both` keeps of the logged figure.
double least_logged(std::span<const DialPoint> points) {
  double best = 0;
  for (const DialPoint& point : points) best = std::max(best, point.valid.logged);
  return (1 - kGivenUp) * best;
}

}  // namespace

std::span<const double> dial_strengths() {
  static constexpr std::array kStrengths{0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4,
                                         0.5, 0.6,  0.7, 0.8,  0.9, 1.0,  1.2, 1.5};
  return kStrengths;
}

std::size_t preferred(std::span<const DialPoint> points, eval::Goal goal) {
  EVENKEEL_CHECK(!points.empty());
  const bool both = goal == eval::Goal::kBoth;
  const double least = both ? least_logged(points) : 0;
  std::size_t best = 0;
  for (std::size_t place = 1; place < points.size(); ++place) {
    if (points[place].valid.logged < least) continue;
    const eval::Goal by = both ? eval::Goal::kBalanced : goal;
    if (points[place].valid.of(by) > points[best].valid.of(by)) best = place;
  }
  return best;
}

std::optional<double> strength_at_limit(std::span<const DialPoint> points, std::size_t chosen) {
  if (chosen + 1 >= points.size()) return std::nullopt;
  const DialPoint& here = points[chosen];
  const DialPoint& next = points[chosen + 1];
  const double least = least_logged(points);
  if (next.valid.logged >= least || here.valid.logged < least) return std::nullopt;
  const double share = (here.valid.logged - least) / (here.valid.logged - next.valid.logged);
  const double debias = std::floor(100 * (here.debias + share * (next.debias - here.debias))) / 100;
  return debias > here.debias ? std::optional(debias) : std::nullopt;
}

Dial turn_dial(const DialRequest& request, Threads& threads) {
  eval::Evaluator evaluator(request.data, request.data.valid);
  const eval::DividedUsers& divided = request.divided;
  evaluator.divide_among(divided.ranks, divided.held()
                                            ? cluster::row_cuts(divided.ranks, *divided.users)
                                            : std::vector<std::size_t>());
  sample_users(evaluator, request.data.item_count());
  if (divided.held()) evaluator.borrow_users(*divided.users);
  Dial dial;
  dial.temperature = request.temperature;
  dial.users = evaluator.users().size();
  const auto& popularity = request.data.item_popularity;
  const auto at = [&](double debias) {
    CorrectedVectors with =
        corrected(request.vectors, popularity, {debias, request.temperature}, threads);
    evaluator.borrow_users(with.users);
    return with;
  };
  const auto measure = [&](double debias) {
    // Without a correction the very vectors rank that rank in every other place.
    if (debias == 0) return evaluator.quick(request.vectors, kDialK, threads).goals();
    return evaluator.quick(at(debias).view(), kDialK, threads).goals();
  };
  std::vector<double> strengths(dial_strengths().begin(), dial_strengths().end());
  if (request.given) strengths = {0.0, kShownDebias, *request.given};
  std::sort(strengths.begin(), strengths.end());
  strengths.erase(std::unique(strengths.begin(), strengths.end()), strengths.end());
  if (evenly_popular(popularity)) strengths = {0.0};
  for (const double debias : strengths) dial.points.push_back({debias, measure(debias)});

  dial.chosen = preferred(dial.points, request.goal);
  if (request.goal == eval::Goal::kBoth && !request.given) {
    if (const auto finer = strength_at_limit(dial.points, dial.chosen)) {
      dial.points.insert(dial.points.begin() + static_cast<std::ptrdiff_t>(dial.chosen) + 1,
                         {*finer, measure(*finer)});
      dial.chosen = preferred(dial.points, request.goal);
    }
  }
  if (request.given) {
    const auto place = std::lower_bound(strengths.begin(), strengths.end(), *request.given);
    dial.chosen =
        place != strengths.end() ? static_cast<std::size_t>(place - strengths.begin()) : 0;
  }
  const auto give_back = [&] {
    if (divided.held()) divided.users->release_others();
  };
  if (dial.chosen == 0) {
    give_back();
    return dial;
  }
  const eval::Goal by = request.goal == eval::Goal::kBoth ? eval::Goal::kBalanced : request.goal;
  const Bootstrap bootstrap(evaluator.user_goals(request.vectors, kDialK, threads),
                            evaluator.user_goals(at(dial.choice().debias).view(), kDialK, threads),
                            by);
  give_back();
  dial.gain = bootstrap.gain();
  dial.gain_error = bootstrap.gain_error();
  dial.balanced_error = bootstrap.balanced_error();
  dial.thin = !request.given && dial.gain <= dial.gain_error;
  if (dial.thin) dial.chosen = 0;
  return dial;
}

}  // namespace evenkeel::rank
