// In: fronts and users' figures written down. Out: means over seeds, levels and p-values by hand.
#include "analysis/front_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/small_model.h"
#include "base/error.h"
#include "eval/significance.h"

namespace evenkeel::analysis {
namespace {

Front front_of(std::vector<FrontPoint> points) {
  Front front{std::move(points), 0};
  front.area = area_under(front.points);
  return front;
}

TEST(FrontComparison, MeansOverSeeds) {
  const Front a = front_of({{0, 0.4, 0.1, 0.3, 0.08}, {0.5, 0.3, 0.2, 0.2, 0.1}});
  const Front b = front_of({{0, 0.5, 0.2, 0.5, 0.1}, {0.5, 0.2, 0.3, 0.1, 0.3}});
  const MethodFront method = mean_front({}, {a, b});
  ASSERT_EQ(method.points.size(), 2U);
  EXPECT_EQ(method.points[1].debias, 0.5);
  EXPECT_NEAR(method.points[0].logged, 0.45, 1e-12);
  EXPECT_NEAR(method.points[1].balanced, 0.25, 1e-12);
  EXPECT_NEAR(method.points[0].logged_ndcg, 0.4, 1e-12);
  EXPECT_NEAR(method.points[1].balanced_ndcg, 0.2, 1e-12);
  EXPECT_NEAR(method.area.mean, (a.area + b.area) / 2, 1e-12);
  EXPECT_NEAR(method.area.sample_sd().value(), std::abs(a.area - b.area) / std::sqrt(2.0), 1e-12);
  EXPECT_FALSE(mean_front({}, {a}).area.sample_sd()) << "one seed has no spread";
}

TEST(FrontComparison, TheLevelIsThatOfTheWeakestMethod) {
  const std::vector<MethodFront> methods{
      mean_front({}, {front_of({{0, 0.4, 0.1}, {0.5, 0.42, 0.2}})}),
      mean_front({}, {front_of({{0, 0.3, 0.2}, {0.5, 0.2, 0.3}})})};
  EXPECT_NEAR(common_level(methods), 0.95 * 0.3, 1e-12);
}

TEST(FrontComparison, PValuesAreThoseOfHolmAgainstTheFirst) {
  std::vector<MethodFront> methods(3);
  const std::vector<std::vector<double>> recalls{
      {0.1, 0.2, 0.3, 0.1}, {0.3, 0.3, 0.5, 0.2}, {0.1, 0.3, 0.2, 0.2}};
  for (std::size_t m = 0; m < 3; ++m) {
    for (Row user = 0; user < 4; ++user) {
      methods[m].at_level.users.per_user.push_back({user, recalls[m][user], 0});
    }
  }
  set_p_values(methods);
  const std::vector<double> raw{eval::paired_t_test(recalls[1], recalls[0]).p,
                                eval::paired_t_test(recalls[2], recalls[0]).p};
  const auto adjusted = eval::holm_adjusted(raw);
  EXPECT_EQ(methods[0].p_value, 1);
  EXPECT_NEAR(methods[1].p_value, adjusted[0], 1e-12);
  EXPECT_NEAR(methods[2].p_value, adjusted[1], 1e-12);
}

// Eight users, 24 items of falling popularity; "even" holds rare items, "like" popular ones.
model::Model small_model(double turn) {
  std::vector<Pair> train, like, even;
  for (Row user = 0; user < 8; ++user) {
    for (Row item = 0; item < 3 * (8 - user); item += 2) train.push_back({user, item});
    like.push_back({user, 1});
    if (user > 0) even.push_back({user, 23 - user});
  }
  const data::Dataset data =
      data::make_dataset("small", testing::ids_of("u", 8), testing::ids_of("i", 24), train, {},
                         {{"even", even}, {"like", like}});
  Matrix users(8, 2), items(24, 2);
  for (std::size_t r = 0; r < 24; ++r) {
    const double angle = turn * static_cast<double>(r);
    items.row(r)[0] = static_cast<float>(std::cos(angle));
    items.row(r)[1] = static_cast<float>(std::sin(angle));
    if (r < 8) std::copy_n(items.row(r), 2, users.row(r));
  }
  model::Model model =
      testing::model_of(std::move(users), std::move(items), data, model::Score::kCosine);
  model.temperature = 0.3;
  model.held = data.tests;
  return model;
}

TEST(FrontComparison, AtALevelEverySeedHasAStrengthOfItsOwn) {
  Threads threads(1);
  const FrontAxes axes{"like", "even", false};
  for (const char* reranker : {"none", "xquad", "compensation"}) {
    const FrontCurve curve{rank::rerank_ask({reranker})};
    const std::vector<model::Model> seeds{small_model(0.7), small_model(1.1)};
    std::vector<Front> fronts;
    for (const model::Model& model : seeds) {
      fronts.push_back(trace_front(model, axes, curve, threads));
      ASSERT_EQ(fronts.back().points.size(), curve.strengths().size());
    }
    MethodFront method = mean_front(curve, fronts);
    const double level = common_level(std::span(&method, 1));
    double strength = 0, balanced = 0, first_user = 0;
    for (std::size_t s = 0; s < 2; ++s) {
      add_at_level(method, s, seeds[s], axes, level, seeds[0].user_ids, threads);
      const double own = strength_at(fronts[s].points, level).value_or(0);
      const eval::Evaluation there = at_strength(seeds[s], "even", curve, own, threads);
      strength += own / 2;
      balanced += there.overall.recall / 2;
      first_user += there.per_user[0].recall / 2;
    }
    EXPECT_NEAR(method.at_level.strength, strength, 1e-12) << reranker;
    EXPECT_NEAR(method.at_level.balanced, balanced, 1e-12) << reranker;
    ASSERT_EQ(method.at_level.users.per_user.size(), 7U);
    EXPECT_NEAR(method.at_level.users.per_user[0].recall, first_user, 1e-12);
  }
}

TEST(FrontComparison, UsersArePairedOverTheTestsOfEveryMethod) {
  using Tests = std::vector<std::vector<std::uint64_t>>;
  const SeedPairs all = pair_seeds(Tests{{7, 7}, {7}});
  EXPECT_FALSE(all.apart);
  EXPECT_EQ(all.paired, (std::vector<std::vector<bool>>{{true, true}, {true}}));
  const SeedPairs some = pair_seeds(Tests{{1}, {1, 2}, {3, 1}});
  EXPECT_FALSE(some.apart);
  EXPECT_EQ(some.paired, (std::vector<std::vector<bool>>{{true}, {true, false}, {false, true}}));
  const SeedPairs none = pair_seeds(Tests{{1, 2}, {1}, {2}});
  ASSERT_TRUE(none.apart);
  EXPECT_EQ(*none.apart, (std::pair<std::size_t, std::size_t>(1, 2)));
}

// A run that numbers its users the other way round is compared user by user all the same.
TEST(FrontComparison, UsersAreThoseOfTheirIds) {
  Threads threads(1);
  const FrontAxes axes{"like", "even", false};
  const model::Model model = small_model(0.7);
  data::Ids other;
  for (Row row = 8; row-- > 0;) other.insert(model.user_ids.text(row));
  MethodFront own = mean_front({}, {trace_front(model, axes, {}, threads)}), turned = own;
  add_at_level(own, 0, model, axes, 0.2, model.user_ids, threads);
  add_at_level(turned, 0, model, axes, 0.2, other, threads);
  const auto &users = own.at_level.users.per_user, &back = turned.at_level.users.per_user;
  ASSERT_EQ(users.size(), 7U);
  ASSERT_EQ(back.size(), 7U);
  for (std::size_t n = 0; n < 7; ++n) {
    EXPECT_EQ(back[n].user, 7 - users[6 - n].user);
    EXPECT_EQ(back[n].recall, users[6 - n].recall);
  }
}

// What is compared is the estimate of the balanced figure, not the figure as logged once more.
TEST(FrontComparison, AnEstimateIsPairedByItsSharesOfUsers) {
  Threads threads(1);
  const FrontAxes axes{"like", "like", true};
  const model::Model model = small_model(0.7);
  MethodFront method = mean_front({}, {trace_front(model, axes, {}, threads)});
  add_at_level(method, 0, model, axes, 0.1, model.user_ids, threads);
  double mean = 0;
  for (const auto& user : method.at_level.users.per_user) mean += user.recall / 8;
  EXPECT_NEAR(mean, method.at_level.balanced, 1e-12);
}

TEST(FrontComparison, ARerankersCurveBeginsWithTheRankingAsLogged) {
  Threads threads(2);
  const FrontAxes axes{"like", "even", false};
  const model::Model model = small_model(0.7);
  const Front correction = trace_front(model, axes, {}, threads);
  for (const rank::RerankerEntry& entry : rank::rerankers()) {
    const Front front = trace_front(model, axes, {{&entry, 0.3}}, threads);
    EXPECT_EQ(front.points.front().logged, correction.points.front().logged) << entry.name;
    EXPECT_EQ(front.points.front().balanced, correction.points.front().balanced) << entry.name;
  }
}

}  // namespace
}  // namespace evenkeel::analysis
