// In: points written down, and a small trained-looking model. Out: areas and crossings by hand.
#include "analysis/front.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace evenkeel::analysis {
namespace {

TEST(Front, AreaByHand) {
  const std::vector<FrontPoint> points{{0, 0.4, 0.1}, {0.5, 0.3, 0.2}, {1, 0.1, 0.25}};
  // 0.1 wide from 0.1 to 0.2, 0.2 wide from 0.2 to 0.25, then 0.1 wide at 0.25.
  EXPECT_NEAR(area_under(points), 0.1 * 0.15 + 0.2 * 0.225 + 0.1 * 0.25, 1e-12);
}

TEST(Front, DominatedPointsAddNothing) {
  const std::vector<FrontPoint> points{{0, 0.4, 0.1}, {0.5, 0.3, 0.2}, {1, 0.1, 0.25}};
  std::vector<FrontPoint> more = points;
  more.push_back({1.5, 0.05, 0.15});
  more.push_back({2, 0.3, 0.1});
  EXPECT_NEAR(area_under(more), area_under(points), 1e-12);
  EXPECT_EQ(area_under({}), 0);
}

TEST(Front, StrengthWhereItComesDown) {
  const std::vector<FrontPoint> points{{0, 0.40, 0.1}, {0.1, 0.41, 0.12}, {0.5, 0.31, 0.2}};
  EXPECT_NEAR(strength_at(points, 0.36).value(), 0.3, 1e-9);
  EXPECT_NEAR(strength_at(points, 0.41).value(), 0.1, 1e-9);
  EXPECT_NEAR(strength_at(points, 0.2).value(), 0.5, 1e-9) << "the strongest that was measured";
  EXPECT_FALSE(strength_at(points, 0.5));
}

// Four users, six items, counts 4 3 2 1 0 0; "even" holds rare items, "like" popular ones.
data::Dataset two_tests() {
  data::Ids users, items;
  for (int u = 0; u < 4; ++u) users.insert("u" + std::to_string(u));
  for (int i = 0; i < 6; ++i) items.insert("i" + std::to_string(i));
  return data::make_dataset(
      "two", std::move(users), std::move(items),
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {0, 3}}, {{3, 2}},
      {{"even", {{3, 1}, {2, 2}, {1, 3}, {0, 4}}}, {"like", {{3, 1}}}});
}

TEST(Front, AxesAreTheMostAndTheLeastPopularTest) {
  data::Dataset data = two_tests();
  const FrontAxes both = front_axes(data);
  EXPECT_EQ(both.logged, "like");
  EXPECT_EQ(both.balanced, "even");
  data.tests.pop_back();
  EXPECT_EQ(front_axes(data).logged, "valid");
  EXPECT_EQ(front_axes(data).balanced, "even");
  data.tests.clear();
  EXPECT_TRUE(front_axes(data).estimated);
  data.valid.items_of = data::make_csr({}, 4, Side::kUser);
  EXPECT_THROW(front_axes(data), Error);
}

}  // namespace
}  // namespace evenkeel::analysis
