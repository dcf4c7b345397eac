// In: a model of two clear tastes and users it never saw. Out: their vectors point at their taste.
#include "rank/fold_in.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rank/recommend.h"

namespace evenkeel::rank {
namespace {

// Items 0-3 along one axis, 4-7 along the other, each with a little of its own.
model::Model items_of_two_tastes(model::Score score) {
  model::Model model;
  model.items = Matrix(8, 4);
  for (std::size_t i = 0; i < 8; ++i) {
    model.items.row(i)[i / 4] = 1.0F;
    model.items.row(i)[2] = 0.1F * static_cast<float>(i % 4);
  }
  model.users = Matrix(1, 4);
  model.score = score;
  return model;
}

data::Csr lists(std::vector<Pair> pairs, std::size_t users) {
  return data::make_csr(pairs, users, Side::kUser);
}

TEST(FoldIn, NewUsersGetItemsOfTheirTaste) {
  for (const model::Score score : {model::Score::kCosine, model::Score::kDot}) {
    const model::Model model = items_of_two_tastes(score);
    const data::Csr own = lists({{0, 0}, {0, 1}, {1, 6}, {1, 7}}, 2);
    Threads threads(1);
    const Matrix users = fold_in(model, own, threads);
    std::vector<std::int64_t> items(4);
    std::vector<float> scores(4);
    rank_lists({{users, model.items, score}, &own, {}, 2}, threads, items, scores);
    EXPECT_LT(std::max(items[0], items[1]), 4);
    EXPECT_GE(std::min(items[2], items[3]), 4);
  }
}

TEST(FoldIn, UserWithoutItemsStaysZero) {
  Threads threads(1);
  const Matrix users =
      fold_in(items_of_two_tastes(model::Score::kCosine), lists({{1, 2}}, 2), threads);
  for (const float value : users.values(0)) EXPECT_EQ(value, 0.0F);
  EXPECT_GT(users.row(1)[0], 0.5F);
}

TEST(FoldIn, ThreadCountChangesNothing) {
  const model::Model model = items_of_two_tastes(model::Score::kCosine);
  std::vector<Pair> pairs;
  for (Row user = 0; user < 100; ++user) pairs.push_back({user, user % 8});
  Threads one(1), three(3);
  const Matrix a = fold_in(model, lists(pairs, 100), one);
  const Matrix b = fold_in(model, lists(pairs, 100), three);
  EXPECT_TRUE(std::equal(a.data(), a.data() + a.size(), b.data()));
}

TEST(RankLists, MasksSubsetsAndMissingPlaces) {
  const model::Model model = items_of_two_tastes(model::Score::kDot);
  Matrix query(1, 4);
  query.row(0)[1] = 1;
  query.row(0)[2] = 1;
  const data::Csr masked = lists({{0, 7}}, 1);
  const std::vector<Row> only{2, 5, 7};
  std::vector<std::int64_t> items(3);
  std::vector<float> scores(3);
  Threads threads(1);
  rank_lists({{query, model.items, model::Score::kDot}, &masked, only, 3}, threads, items, scores);
  EXPECT_EQ(items, (std::vector<std::int64_t>{5, 2, kNoItem}));
  EXPECT_FLOAT_EQ(scores[0], 1.1F);
  EXPECT_TRUE(std::isinf(scores[2]));
}

}  // namespace
}  // namespace evenkeel::rank
