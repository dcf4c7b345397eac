// In: vectors of validations, one after the other. Out: means by hand; a trainer that ranks by
// them.
#include "train/vector_average.h"

#include <gtest/gtest.h>

namespace evenkeel::train {
namespace {

Matrix filled(std::size_t rows, float value) {
  Matrix matrix(rows, 3);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      matrix.row(r)[c] = value * static_cast<float>(1 + r) + static_cast<float>(c);
    }
  }
  return matrix;
}

TEST(VectorAverage, IsTheMeanAndThenFades) {
  for (const int count : {1, 3}) {
    Threads threads(count);
    VectorAverage average(3);
    EXPECT_TRUE(average.on());
    const float values[] = {1, 4, 1, 8};
    // Means of 1; 1 4; 1 4 1; then two thirds of the mean and a third of the newest.
    const float means[] = {1, 2.5, 2, 4};
    for (std::size_t n = 0; n < 4; ++n) {
      average.add(filled(2000, values[n]), filled(5, 2 * values[n]), threads);
      EXPECT_EQ(average.count(), n + 1);
      EXPECT_NEAR(average.mean(Side::kUser).row(0)[0], means[n], 1e-6);
      EXPECT_NEAR(average.mean(Side::kUser).row(1999)[2], 2000 * means[n] + 2, 1e-2);
      EXPECT_NEAR(average.mean(Side::kItem).row(4)[1], 10 * means[n] + 1, 1e-5);
    }
  }
}

TEST(VectorAverage, AWindowOfOneKeepsNothing) {
  Threads threads(1);
  VectorAverage average(1);
  average.add(filled(4, 1), filled(4, 1), threads);
  EXPECT_FALSE(average.on());
  EXPECT_EQ(average.count(), 0U);
  EXPECT_TRUE(average.mean(Side::kUser).empty());
}

}  // namespace
}  // namespace evenkeel::train
