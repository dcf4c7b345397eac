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
