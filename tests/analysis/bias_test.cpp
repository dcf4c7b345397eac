// In: an extractor whose angles are 0, 45 and 90 degrees. Out: bias degree, nine groups, margins.
#include "analysis/bias.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/small_model.h"

namespace evenkeel::analysis {
namespace {

using std::numbers::pi;
using testing::data_of;
using testing::matrix_of;

// Popularity 3, 2, 1 of users and of items, so that each is a group of its own. xi depends on the
// item alone: 0 for the head item, 45 degrees for the mid one, 90 for the tail.
class BiasByHand : public ::testing::Test {
 protected:
  const data::Dataset data_ = data_of(3, 3, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}});
  const train::ExtractorTables tables_{matrix_of({{1, 0}, {2, 0}, {3, 0}}),  // classes 1, 2, 3
                                       matrix_of({{0, 5}, {1, 1}, {4, 0}})};
  const loss::Margins xi_ = bias_angles(data_, tables_);
};

TEST_F(BiasByHand, DegreeIsTheMeanCosineOfTrainingPairs) {
  const Bias bias = measure_bias(xi_, data_);
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(*bias.items.degree[0], 1, 1e-6);
  EXPECT_NEAR(*bias.items.degree[1], half, 1e-6);
  EXPECT_NEAR(*bias.items.degree[2], 0, 1e-6);
  EXPECT_NEAR(*bias.users.degree[0], (1 + half) / 3, 1e-6);
  EXPECT_NEAR(*bias.users.degree[1], (1 + half) / 2, 1e-6);
  EXPECT_NEAR(*bias.users.degree[2], 1, 1e-6);
  EXPECT_EQ(bias.items.count, 3U);
  EXPECT_NEAR(*bias.items.pearson, 0.97255, 1e-4);  // 1 / sqrt(2 * 0.52862)
  EXPECT_LT(*bias.users.pearson, 0);
  ASSERT_EQ(bias.items.trend.size(), 3U);
  EXPECT_NEAR(bias.items.trend[0].x, 1, 1e-12);
  EXPECT_NEAR(bias.items.trend[2].y, 1, 1e-6);
}

TEST(BiasSide, CorrelatesOverPopularityValues) {
  // Value 1: 0 and 0.4, mean 0.2; value 2: 0.2; value 5: 0.5; one row has no pairs.
  const BiasSide side =
      bias_side({0.0, 0.2, std::nullopt, 0.4, 0.5}, std::vector<std::uint32_t>{1, 2, 0, 1, 5});
  ASSERT_EQ(side.by_value.size(), 3U);
  EXPECT_NEAR(side.by_value[0].y, 0.2, 1e-12);
  EXPECT_EQ(side.by_value[2].x, 5);
  // Values 1, 2, 5 and means 0.2, 0.2, 0.5: 0.7 / sqrt(26/3 * 0.06)
  EXPECT_NEAR(*side.pearson, 0.7 / std::sqrt(26.0 / 3 * 0.06), 1e-12);
  // Rows 1, 2, 1, 5 and 0, 0.2, 0.4, 0.5: 0.825 / sqrt(10.75 * 0.1475)
  EXPECT_NEAR(*side.pearson_rows, 0.825 / std::sqrt(10.75 * 0.1475), 1e-12);
  EXPECT_EQ(side.count, 4U);
}

TEST_F(BiasByHand, NineGroups) {
  const NineGroups nine = nine_groups(xi_, data_);
  EXPECT_NEAR(*nine.mean[0][0], 0, 1e-6);
  EXPECT_NEAR(*nine.mean[0][1], pi / 4, 1e-6);
  EXPECT_NEAR(*nine.mean[0][2], pi / 2, 1e-6);
  EXPECT_NEAR(*nine.sd[0][2], 0, 1e-6);
  EXPECT_EQ(nine.count[1][1], 1U);
  EXPECT_EQ(nine.count[1][2], 0U);
  EXPECT_FALSE(nine.mean[1][2]);
  EXPECT_FALSE(nine.sd[2][1]);
}

TEST_F(BiasByHand, MarginsAndTheCap) {
  // Every item opposite to every user: theta = pi leaves no room for a margin.
  const Directions opposite{matrix_of({{1, 0}, {1, 0}, {1, 0}}),
                            matrix_of({{-1, 0}, {-1, 0}, {-1, 0}})};
  const MarginSummary summary = summarize_margins(xi_, data_, opposite);
  EXPECT_NEAR(summary.mean, pi / 6, 1e-6);  // 0 three times, pi / 4 twice, pi / 2 once
  EXPECT_NEAR(summary.capped_share, 0.5, 1e-12);
  EXPECT_NEAR(summary.histogram[0], 0.5, 1e-12);
  EXPECT_NEAR(summary.histogram[kMarginBins - 1], 1.0 / 6, 1e-12);
  double sum = 0;
  for (const double share : summary.histogram) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  const Directions same{matrix_of({{1, 0}, {1, 0}, {1, 0}}), matrix_of({{1, 0}, {1, 0}, {1, 0}})};
  EXPECT_EQ(summarize_margins(xi_, data_, same).capped_share, 0);
}

}  // namespace
}  // namespace evenkeel::analysis
