// In: a data set worked by hand, and a random one. Out: masks, groups and exposure as written down,
// and the same digits at any thread count.
#include "eval/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/rng.h"
#include "eval/market.h"
#include "eval/numbered.h"

namespace evenkeel::eval {
namespace {

using testing::Market;
using testing::numbered;

// 3 users, 6 items with training counts 3 3 2 1 0 0: head {0, 1}, mid {2, 3}, tail {4, 5}.
// Users' counts 4 3 2: one user per group. Every user scores item i with 6 - i (dim 1).
class ByHand : public ::testing::Test {
 protected:
  ByHand()
      : dataset_(data::make_dataset(
            "hand", numbered(3), numbered(6),
            {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}, {{1, 4}},
            {{"test_a", {{0, 4}, {1, 3}, {2, 1}, {2, 5}}}, {"test_b", {{0, 5}, {2, 2}}}})),
        users_(3, 1),
        items_(6, 1) {
    for (std::size_t u = 0; u < 3; ++u) users_.row(u)[0] = 1;
    for (std::size_t i = 0; i < 6; ++i) items_.row(i)[0] = static_cast<float>(6 - i);
  }
  VectorView view() const { return {users_, items_, model::Score::kDot}; }
  data::Dataset dataset_;
  Matrix users_, items_;
  Threads threads_{1};
};

TEST_F(ByHand, MasksFollowTheProtocol) {
  // Whoever may choose from the whole catalogue is handed all that is not masked, best first.
  const auto candidates = [&](const data::Part& part) {
    std::map<Row, std::vector<Row>> lists;
    const auto note = [&](Row user, std::span<const kernels::Ranked> list, int) {
      for (const kernels::Ranked& entry : list) lists[user].push_back(entry.item);
      return list;
    };
    const ListRule rule{6, note};
    Evaluator(dataset_, part).evaluate(view(), {6, false, false}, threads_, &rule);
    return lists;
  };
  auto valid = candidates(dataset_.valid);
  EXPECT_EQ(valid.size(), 1U);
  EXPECT_EQ(valid[1], (std::vector<Row>{3, 4, 5})) << "validation: train alone is masked";
  auto test = candidates(dataset_.tests[0]);
  EXPECT_EQ(test[0], (std::vector<Row>{4})) << "train and other test";
  EXPECT_EQ(test[1], (std::vector<Row>{3, 5})) << "train and validation";
  EXPECT_EQ(test[2], (std::vector<Row>{1, 3, 4, 5})) << "item 1 is under test: never masked";
}

// Lists of length 2: user 0 [4], user 1 [3, 5], user 2 [1, 3].
TEST_F(ByHand, OverallGroupsAndExposure) {
  const Evaluation e =
      evaluate_part(view(), dataset_, dataset_.tests[0], {2, true, true}, threads_);
  EXPECT_EQ(e.overall.users, 3U);
  EXPECT_DOUBLE_EQ(e.overall.recall, (1 + 1 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(e.overall.precision, 0.5);
  EXPECT_DOUBLE_EQ(e.overall.mrr, 1);
  const double ideal = 1 + 1 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(e.overall.ndcg, (1 + 1 + 1 / ideal) / 3);

  EXPECT_EQ(e.item_groups[0].users, 1U);  // user 2 with item 1
  EXPECT_DOUBLE_EQ(e.item_groups[0].recall, 1);
  EXPECT_DOUBLE_EQ(e.item_groups[0].ndcg, 1);
  EXPECT_EQ(e.item_groups[1].users, 1U);  // user 1 with item 3
  EXPECT_DOUBLE_EQ(e.item_groups[1].recall, 1);
  EXPECT_EQ(e.item_groups[2].users, 2U);  // user 0 with item 4, user 2 with item 5
  EXPECT_DOUBLE_EQ(e.item_groups[2].recall, 0.5);

  for (std::size_t group = 0; group < 3; ++group) EXPECT_EQ(e.user_groups[group].users, 1U);
  EXPECT_DOUBLE_EQ(e.user_groups[0].recall, 1);
  EXPECT_DOUBLE_EQ(e.user_groups[2].recall, 0.5);

  // Exposures 0 1 0 2 1 1 of five places.
  EXPECT_DOUBLE_EQ(e.coverage, 4.0 / 6);
  EXPECT_DOUBLE_EQ(e.gini, (-5 * 0 - 3 * 0 - 1 + 1 + 3 + 5 * 2) / (6.0 * 5));
  EXPECT_DOUBLE_EQ(e.mean_popularity, (3 + 1 * 2 + 0 + 0) / 5.0);
  EXPECT_DOUBLE_EQ(e.tail_share, 2.0 / 5);

  ASSERT_EQ(e.per_user.size(), 3U);
  EXPECT_EQ(e.per_user[2].user, 2U);
  EXPECT_DOUBLE_EQ(e.per_user[2].recall, 0.5);
}

TEST_F(ByHand, JsonHasTheKeysOfResultJson) {
  const Evaluation e =
      evaluate_part(view(), dataset_, dataset_.tests[0], {2, true, false}, threads_);
  const auto json = to_json(e, 2);
  for (const char* key : {"recall@2", "ndcg@2", "hr@2", "precision@2", "map@2", "mrr@2",
                          "coverage@2", "gini@2", "mean_popularity@2", "tail_share@2", "users"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["users"], 3);
  const auto groups = groups_to_json(e, 2);
  EXPECT_DOUBLE_EQ(groups["items"]["tail"]["recall@2"], 0.5);
  EXPECT_EQ(groups["users"]["head"]["users"], 1);
}

TEST_F(ByHand, EmptyPartIsAllZeros) {
  const data::Dataset bare = data::make_dataset("bare", numbered(3), numbered(6), {{0, 0}}, {}, {});
  const Evaluation e = evaluate_part(view(), bare, bare.valid, {5, true, true}, threads_);
  EXPECT_EQ(e.overall.users, 0U);
  EXPECT_EQ(e.overall.recall, 0);
  EXPECT_EQ(e.coverage, 0);
}

TEST_F(ByHand, WrongShapeAndKAreErrors) {
  const Matrix few(2, 1);
  EXPECT_THROW(
      evaluate_part({few, items_, model::Score::kDot}, dataset_, dataset_.valid, {}, threads_),
      Error);
  EXPECT_THROW(evaluate_part(view(), dataset_, dataset_.valid, {0, true, false}, threads_), Error);
}

TEST(Gini, KnownValues) {
  EXPECT_DOUBLE_EQ(gini_of(std::vector<std::uint64_t>{5, 5, 5}), 0);
  EXPECT_DOUBLE_EQ(gini_of(std::vector<std::uint64_t>{0, 9, 0, 0}), 0.75);
  EXPECT_DOUBLE_EQ(gini_of(std::vector<std::uint64_t>{0, 0}), 0);
  EXPECT_DOUBLE_EQ(gini_of({}), 0);
}

Market random_market(std::size_t users, std::size_t items, std::size_t dim) {
  std::vector<Pair> train, valid, test;
  const Random random(17, Purpose::kMarket);
  for (std::uint32_t u = 0; u < users; ++u) {
    Draws draws(random, u);
    for (int i = 0; i < 12; ++i) {
      auto& part = i < 7 ? train : i < 9 ? valid : test;
      part.push_back({u, draws.below(static_cast<std::uint32_t>(items))});
    }
  }
  return testing::market_of(data::make_dataset("random", numbered(users), numbered(items), train,
                                               valid, {{"test", test}}),
                            dim);
}

TEST(Evaluate, ThreadCountChangesNoDigit) {
  const Market m = random_market(700, 300, 20);
  const EvaluateOptions options{20, true, true};
  std::vector<nlohmann::json> results;
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    const Evaluation e = evaluate_part({m.users, m.items, model::Score::kCosine}, m.dataset,
                                       m.dataset.tests[0], options, threads);
    Evaluator evaluator(m.dataset, m.dataset.tests[0]);
    const auto quick = evaluator.quick({m.users, m.items, model::Score::kCosine}, 20, threads);
    EXPECT_EQ(quick.recall, e.overall.recall);
    EXPECT_EQ(quick.ndcg, e.overall.ndcg);
    auto json = to_json(e, 20);
    json["groups"] = groups_to_json(e, 20);
    for (const UserResult& user : e.per_user) json["per_user"].push_back({user.user, user.ndcg});
    results.push_back(json);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Evaluate, AnEvaluatorGivesTheSameAgain) {
  const Market m = random_market(300, 200, 8);
  Threads threads(2);
  Evaluator evaluator(m.dataset, m.dataset.valid);
  const auto first = evaluator.quick({m.users, m.items, model::Score::kDot}, 20, threads);
  evaluator.quick({m.users, m.items, model::Score::kCosine}, 5, threads);
  const auto again = evaluator.quick({m.users, m.items, model::Score::kDot}, 20, threads);
  EXPECT_EQ(first.recall, again.recall);
  EXPECT_GT(first.recall, 0);
}

}  // namespace
}  // namespace evenkeel::eval
