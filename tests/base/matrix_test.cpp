// In: odd sizes. Out: aligned rows, zero padding, deep copies.
#include "base/matrix.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace evenkeel {
namespace {

TEST(Matrix, RowsAreAlignedPaddedAndZero) {
  for (const std::size_t dim : {1UL, 15UL, 16UL, 17UL, 64UL, 65UL}) {
    Matrix matrix(3, dim);
    EXPECT_EQ(matrix.stride() % kRowFloats, 0U);
    EXPECT_GE(matrix.stride(), dim);
    EXPECT_LT(matrix.stride(), dim + kRowFloats);
    EXPECT_EQ(matrix.size(), 3 * matrix.stride());
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.row(r)) % kAlignment, 0U);
      EXPECT_EQ(matrix.values(r).size(), dim);
      for (std::size_t c = 0; c < matrix.stride(); ++c) EXPECT_EQ(matrix.row(r)[c], 0.0F);
    }
  }
}

TEST(Matrix, CopiesAreDeepAndMovesLeaveNothing) {
  Matrix a(2, 3);
  a.row(1)[2] = 5;
  Matrix b = a;
  b.row(1)[2] = 6;
  EXPECT_EQ(a.row(1)[2], 5.0F);
  const Matrix c = std::move(b);
  EXPECT_EQ(c.row(1)[2], 6.0F);
  a = c;
  EXPECT_EQ(a.row(1)[2], 6.0F);
  a.fill_zero();
  EXPECT_EQ(a.row(1)[2], 0.0F);
  EXPECT_EQ(c.row(1)[2], 6.0F);
}

TEST(Matrix, EmptyIsFine) {
  const Matrix none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size(), 0U);
  const Matrix copy = none;  // NOLINT: the copy of nothing is the test
  EXPECT_TRUE(copy.empty());
  const AlignedArray<int> array(0);
  EXPECT_EQ(array.begin(), array.end());
}

}  // namespace
}  // namespace evenkeel
