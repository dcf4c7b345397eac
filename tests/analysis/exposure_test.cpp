// In: counts of recommendations by hand. Out: Lorenz curve, shares and lift.
#include "analysis/exposure.h"

#include <gtest/gtest.h>

#include "analysis/small_model.h"

namespace evenkeel::analysis {
namespace {

using testing::data_of;
using testing::matrix_of;
using testing::model_of;

TEST(Lorenz, HandWorked) {
  const std::vector<std::uint64_t> counts{3, 0, 4, 1};  // sorted 0 1 3 4 of 8
  const std::vector<CurvePoint> curve = lorenz_curve(counts);
  const double want[][2] = {{0, 0}, {0.25, 0}, {0.5, 0.125}, {0.75, 0.5}, {1, 1}};
  ASSERT_EQ(curve.size(), 5U);
  for (std::size_t n = 0; n < curve.size(); ++n) {
    EXPECT_DOUBLE_EQ(curve[n].x, want[n][0]) << n;
    EXPECT_DOUBLE_EQ(curve[n].y, want[n][1]) << n;
  }
}

TEST(Lorenz, ThinsLongListsAndLivesWithoutCounts) {
  const std::vector<std::uint64_t> many(1234, 2), none(5, 0);
  const auto curve = lorenz_curve(many, 10);
  ASSERT_EQ(curve.size(), 11U);
  for (const CurvePoint& point : curve) EXPECT_NEAR(point.x, point.y, 1e-12);  // all equal
  EXPECT_EQ(lorenz_curve(none).size(), 2U);
  EXPECT_EQ(lorenz_curve({}).size(), 2U);
}

TEST(Lift, HandWorked) {
  // Popularity 10, 9, ..., 1 (55 in all); the first item is shown 11 times, all others once.
  std::vector<std::uint32_t> popularity;
  std::vector<std::uint64_t> counts(10, 1);
  for (std::uint32_t p = 10; p > 0; --p) popularity.push_back(p);
  counts[0] = 11;
  const Exposure exposure = measure_exposure(counts, popularity);
  EXPECT_NEAR(*exposure.lift[0], (11.0 / 20) / (10.0 / 55), 1e-12);
  EXPECT_NEAR(*exposure.lift[9], (1.0 / 20) / (1.0 / 55), 1e-12);
  EXPECT_NEAR(exposure.coverage, 1, 1e-12);
  EXPECT_NEAR(exposure.group_share[0], 14.0 / 20, 1e-12);  // 10 items: 4, 3, 3
  EXPECT_NEAR(exposure.tail_share, 3.0 / 20, 1e-12);
  EXPECT_NEAR(exposure.mean_popularity, (11 * 10 + 45) / 20.0, 1e-12);
  EXPECT_NEAR(exposure.gini, 0.45, 1e-12);  // (9 * 11 - 9) / (10 * 20)
}

TEST(Lift, NothingForATenthNobodyConsumed) {
  std::vector<std::uint32_t> popularity(10, 0);
  popularity[3] = 5;
  const Exposure exposure = measure_exposure(std::vector<std::uint64_t>(10, 1), popularity);
  EXPECT_NEAR(*exposure.lift[0], 0.1, 1e-12);
  EXPECT_FALSE(exposure.lift[1]);
}

TEST(Exposure, CountsListsOfUsersWithTraining) {
  // User 2 has no training items and gets no list.
  const data::Dataset data = data_of(3, 3, {{0, 0}, {1, 1}}, {{2, 2}});
  const model::Model model =
      model_of(matrix_of({{1, 0}, {0, 1}, {1, 1}}), matrix_of({{3, 0}, {2, 1}, {1, 2}}), data,
               model::Score::kDot);
  for (const int count : {1, 3}) {
    Threads threads(count);
    // User 0 likes 0 (known), then 1; user 1 likes 2, then 1 (known).
    EXPECT_EQ(count_exposure(model, 1, threads), (std::vector<std::uint64_t>{0, 1, 1}));
    EXPECT_EQ(count_exposure(model, 2, threads), (std::vector<std::uint64_t>{1, 1, 2}));
  }
}

TEST(Exposure, CountsASampleOfListsWhereAllWouldTakeTooLong) {
  // 12,000 users and 4 million items: more than 2^35 pairs to rank, so 10,000 users are drawn.
  constexpr std::size_t kUsers = 12'000, kItems = 4'000'000, kSampled = 10'000;
  model::Model model;
  model.users = Matrix(kUsers, 1);
  model.items = Matrix(kItems, 1);
  std::vector<Pair> pairs;
  for (Row user = 0; user < kUsers; ++user) pairs.push_back({user, user});
  model.known = data::make_csr(pairs, kUsers, Side::kUser);
  model.user_popularity.assign(kUsers, 1);
  const std::vector<Row> users = listed_users(model);
  ASSERT_EQ(users.size(), kSampled);
  EXPECT_TRUE(std::is_sorted(users.begin(), users.end()));
  EXPECT_TRUE(std::adjacent_find(users.begin(), users.end()) == users.end());
  EXPECT_GT(users.back(), Row{kUsers - 100});  // from all of them
  EXPECT_EQ(users, listed_users(model));
}

}  // namespace
}  // namespace evenkeel::analysis
