// In: validation parts worked by hand. Out: weights that are clipped, figures that follow the
// formula, and users left out of a sample that count nowhere.
#include "eval/goals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "eval/evaluate.h"
#include "eval/numbered.h"

namespace evenkeel::eval {
namespace {

using testing::numbered;

// Items with training counts 4 2 1 0; every user scores item i with 4 - i.
class Goals : public ::testing::Test {
 protected:
  Goals()
      : data_(data::make_dataset("hand", numbered(5), numbered(4),
                                 {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 1}, {3, 1}, {2, 2}},
                                 {{0, 1}, {0, 3}, {1, 2}, {4, 0}}, {})),
        users_(5, 1),
        items_(4, 1) {
    for (std::size_t u = 0; u < 5; ++u) users_.row(u)[0] = 1;
    for (std::size_t i = 0; i < 4; ++i) items_.row(i)[0] = static_cast<float>(4 - i);
  }
  data::Dataset data_;
  Matrix users_, items_;
  Threads threads_{2};
};

TEST_F(Goals, WeightsAreInverseCountsClippedAtTheQuantile) {
  // Weights of the pairs, sorted: 1/4 (item 0), 1/2 (item 1), 1 (item 2), 1 (item 3, never
  // trained). Place 0.9 * 3 = 2: nothing above 1.
  EXPECT_EQ(balanced_weights(data_, data_.valid), (std::vector<double>{0.25, 0.5, 1, 1}));
  data::Part one = data_.valid;
  one.items_of = data::make_csr(std::vector<Pair>{{0, 1}}, 5, Side::kUser);
  EXPECT_EQ(balanced_weights(data_, one), (std::vector<double>{0.25, 0.5, 0.5, 0.5}))
      << "nothing weighs more than the pairs do";
}

// 60 items with 2, 4, ... 120 interactions; parts that hold c (p + 1)^a pairs of each.
TEST(PopularityExponent, IsThatOfTheCounts) {
  std::vector<std::uint32_t> popularity;
  for (std::uint32_t i = 0; i < 60; ++i) popularity.push_back(2 * (i + 1));
  for (const double a : {0.0, 0.4, 1.0, 1.3}) {
    std::vector<Pair> pairs;
    Row user = 0;
    for (Row item = 0; item < 60; ++item) {
      const double wanted = 4000 * std::pow((popularity[item] + 1) / 121.0, a);
      for (int n = 0; n < std::lround(wanted); ++n) pairs.push_back({user++, item});
    }
    const data::Part part{"valid", data::make_csr(pairs, user, Side::kUser)};
    const PopularityExponent found = popularity_exponent(popularity, part);
    EXPECT_NEAR(found.value, a, 0.01) << a;
    EXPECT_EQ(found.even(), a < 0.45) << a;
    EXPECT_LT(found.error, 0.02);
  }
  const data::Part few{"valid", data::make_csr(std::vector<Pair>{{0, 0}, {1, 30}}, 2, Side::kUser)};
  EXPECT_FALSE(popularity_exponent(popularity, few).even()) << "two pairs tell nothing";
  EXPECT_EQ(popularity_exponent(std::vector<std::uint32_t>(60, 3), few).value, 1);
  EXPECT_EQ(popularity_exponent(popularity, {}).value, 1);
}

// Half of the log's own exponent is the border, and a part must be large enough to tell.
TEST(PopularityExponent, TellsPartsThatShowItemsAlike) {
  const auto pairs_of = [](double c, double a) {
    std::vector<Pair> pairs;
    for (Row item = 0; item < 30; ++item) {
      const long count = std::lround(c * std::pow(2.0 + 9 * item, a));
      for (Row user = 0; static_cast<long>(user) < count; ++user) pairs.push_back({user, item});
    }
    return pairs;
  };
  const data::Dataset data =
      data::make_dataset("alike", numbered(300), numbered(30), pairs_of(1, 1), {},
                         {{"even", pairs_of(30, 0)},
                          {"rated", pairs_of(8, 0.35)},
                          {"later", pairs_of(0.8, 0.75)},
                          {"like", pairs_of(0.3, 1)},
                          {"few", {{0, 3}, {1, 20}, {2, 11}}}});
  const std::vector<bool> alike{true, true, false, false, false};
  for (std::size_t test = 0; test < alike.size(); ++test) {
    EXPECT_EQ(shows_items_alike(data, data.tests[test]), alike[test]) << data.tests[test].name;
  }
}

// A validation part with as many pairs of every item is balanced already: no pair weighs more.
TEST(PopularityExponent, ABalancedValidationPartIsNotBalancedTwice) {
  std::vector<Pair> train, even;
  for (Row item = 0; item < 20; ++item) {
    for (Row user = 0; user < 2 + 9 * item; ++user) train.push_back({user, item});
    for (Row user = 0; user < 40; ++user) even.push_back({200 + user, item});
  }
  const data::Dataset data =
      data::make_dataset("even", numbered(240), numbered(20), train, even, {});
  const auto weights = balanced_weights(data, data.valid);
  EXPECT_NEAR(weights.front(), weights.back(), 0.05 * weights.back());
  const data::Part other = data.valid;
  const auto of_other = balanced_weights(data, other);  // clipped at that of item 2, p = 20
  EXPECT_NEAR(of_other.front() / of_other.back(), 173.0 / 20, 1e-9)
      << "a goal is measured on validation; other parts keep 1 / p";
}

TEST_F(Goals, FiguresFollowTheFormula) {
  Evaluator evaluator(data_, data_.valid);
  // Lists of one: user 0 gets 1 (hit, w 0.5), user 1 gets 1 (miss), user 4 gets 0 (hit, w 0.25).
  const auto quick = evaluator.quick({users_, items_, model::Score::kDot}, 1, threads_);
  EXPECT_NEAR(quick.recall, (0.5 + 0 + 1) / 3, 1e-12);
  EXPECT_NEAR(quick.balanced, (0.5 + 0.25) / (0.5 + 1 + 1 + 0.25), 1e-12);
  EXPECT_NEAR(quick.goals().of(Goal::kBoth), std::sqrt(quick.recall * quick.balanced), 1e-12);
  const auto whole =
      evaluator.evaluate({users_, items_, model::Score::kDot}, {1, false, false}, threads_);
  EXPECT_EQ(whole.balanced, quick.balanced);
  const auto by_user =
      evaluator.evaluate({users_, items_, model::Score::kDot}, {1, false, true}, threads_);
  double mean = 0;
  for (const UserResult& user : by_user.per_user) mean += user.balanced / 3;
  EXPECT_NEAR(mean, quick.balanced, 1e-12);
  const auto users = evaluator.user_goals({users_, items_, model::Score::kDot}, 1, threads_);
  ASSERT_EQ(users.size(), 3U);
  EXPECT_EQ(users[0].recall, 0.5);
  EXPECT_EQ(users[0].weighted_hits, 0.5);
  EXPECT_EQ(users[0].weight, 1.5);
}

TEST_F(Goals, ASampleCountsItsUsersAlone) {
  Evaluator evaluator(data_, data_.valid);
  const std::vector<std::size_t> kept{0, 2};
  evaluator.keep_users(kept);
  const auto quick = evaluator.quick({users_, items_, model::Score::kDot}, 1, threads_);
  EXPECT_EQ(quick.users, 2U);
  EXPECT_NEAR(quick.recall, 0.75, 1e-12);
  EXPECT_NEAR(quick.balanced, 0.75 / 1.75, 1e-12);
}

TEST_F(Goals, AnEvaluationOfASampleSaysSo) {
  EvaluateOptions options;
  options.k = 1;
  std::vector<EvaluationProgress> told;
  options.progress = [&](const EvaluationProgress& news) { told.push_back(news); };
  const VectorView vectors{users_, items_, model::Score::kDot};
  const Evaluation whole = evaluate_part(vectors, data_, data_.valid, options, threads_);
  EXPECT_EQ(whole.overall.users, whole.all_users);
  EXPECT_FALSE(to_json(whole, 1).contains("all_users"));
  ASSERT_EQ(told.size(), 2U) << "before the first user and behind the last";
  EXPECT_EQ(told[0].done, 0U);
  EXPECT_EQ(told[1].done, whole.all_users);

  options.users = 1;
  const Evaluation sample = evaluate_part(vectors, data_, data_.valid, options, threads_);
  EXPECT_EQ(sample.overall.users, 1U);
  EXPECT_EQ(sample.all_users, whole.all_users);
  EXPECT_EQ(to_json(sample, 1).at("all_users"), whole.all_users);
  EXPECT_NE(sample_sentence(told.back()).find("1 of its"), std::string::npos);
}

TEST(Goal, NamesAreReadBack) {
  for (const std::string_view name : goal_names()) EXPECT_EQ(goal_name(parse_goal(name)), name);
  EXPECT_THROW(parse_goal("balance"), Error);
}

}  // namespace
}  // namespace evenkeel::eval
