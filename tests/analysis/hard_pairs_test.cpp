// In: margins and vectors by hand. Out: the hardest pairs and their ranks.
#include "analysis/hard_pairs.h"

#include <gtest/gtest.h>

#include "analysis/exposure.h"
#include "analysis/small_model.h"

namespace evenkeel::analysis {
namespace {

using testing::data_of;
using testing::matrix_of;

TEST(HardPairs, OneForEachUserLargestFirst) {
  // Items 0, 1, 2 have 3, 2, 1 training users: head, mid, tail.
  const data::Dataset data = data_of(3, 3, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {0, 2}});
  const loss::Margins margins = loss::Margins::constant(0.25, 3, 3);
  const std::vector<HardPair> pairs = hardest_pairs(margins, data, 2);
  ASSERT_EQ(pairs.size(), 5U) << "two of head, two of mid, one of tail";
  EXPECT_EQ(pairs[0].item, 0U);
  EXPECT_EQ(pairs[0].user, 0U);
  EXPECT_EQ(pairs[1].user, 1U);
  EXPECT_EQ(pairs[2].item, 1U);
  EXPECT_EQ(pairs[4].item, 2U);
  EXPECT_DOUBLE_EQ(pairs[4].margin, 0.25F);
  EXPECT_TRUE(hardest_pairs(loss::Margins::constant(0, 3, 3), data, 2).empty());
}

TEST(HardPairs, RankLeavesOutWhatTheUserHas) {
  const data::Dataset data = data_of(1, 4, {{0, 0}, {0, 2}});
  const Matrix users = matrix_of({{1, 0}});
  const Matrix items = matrix_of({{9, 0}, {1, 1}, {2, 4}, {3, 1}});
  const eval::VectorView dot{users, items, model::Score::kDot};
  EXPECT_EQ(rank_of_pair(dot, data.items_of, 0, 2), 2U) << "behind 3, ahead of 1; 0 is known";
  const eval::VectorView cosine{users, items, model::Score::kCosine};
  EXPECT_EQ(rank_of_pair(cosine, data.items_of, 0, 2), 3U);
}

TEST(Exposure, SlicesOfTheMostPopular) {
  std::vector<std::uint64_t> counts(100, 1);
  std::vector<std::uint32_t> popularity;
  for (std::uint32_t n = 0; n < 100; ++n) popularity.push_back(1000 - n);
  counts[0] = 101;  // 200 places in all
  const SliceShares shares = slice_shares(counts, popularity);
  EXPECT_DOUBLE_EQ(shares[0], 0.505);
  EXPECT_DOUBLE_EQ(shares[1], 0.02);
  EXPECT_DOUBLE_EQ(shares[2], 0.075);
  EXPECT_DOUBLE_EQ(shares[3], 0.4);
  const std::vector<std::uint64_t> few{3, 1};
  EXPECT_DOUBLE_EQ(slice_shares(few, std::vector<std::uint32_t>{9, 1})[0], 0.75)
      << "the first slice is never empty";
}

}  // namespace
}  // namespace evenkeel::analysis
