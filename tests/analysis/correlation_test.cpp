// In: lists small enough for paper and pencil. Out: Pearson's r and moments.
#include "analysis/correlation.h"

#include <gtest/gtest.h>

#include <vector>

namespace evenkeel::analysis {
namespace {

TEST(Pearson, HandWorked) {
  const std::vector<double> a{1, 2, 3, 4}, b{1, 3, 2, 4}, falling{8, 6, 4, 2};
  EXPECT_NEAR(*pearson(a, b), 0.8, 1e-12);  // 4 / sqrt(5 * 5)
  EXPECT_NEAR(*pearson(a, falling), -1.0, 1e-12);
}

TEST(Pearson, NeedsTwoPointsThatVary) {
  const std::vector<double> none, one{3}, flat{2, 2, 2}, any{1, 2, 3};
  EXPECT_FALSE(pearson(none, none));
  EXPECT_FALSE(pearson(one, one));
  EXPECT_FALSE(pearson(flat, any));
  EXPECT_FALSE(pearson(any, flat));
}

TEST(Moments, HandWorked) {
  Moments moments;
  EXPECT_FALSE(moments.sample_sd());
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) moments.add(value);
  EXPECT_NEAR(moments.mean, 5, 1e-12);
  EXPECT_NEAR(moments.population_sd(), 2, 1e-12);
  EXPECT_NEAR(*moments.sample_sd() * *moments.sample_sd(), 32.0 / 7, 1e-12);
}

}  // namespace
}  // namespace evenkeel::analysis
