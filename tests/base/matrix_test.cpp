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

TEST(Matrix, OfAPartOnlyHeldRowsAreCopied) {
  constexpr std::size_t kRows = 100'000;  // 6.4 MB: several huge pages
  Matrix part(kRows, 16, {40'000, 60'000});
  EXPECT_FALSE(part.holds_all());
  EXPECT_TRUE(Matrix(kRows, 16).holds_all());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.data()) % kAlignment, 0U);
  EXPECT_EQ(part.rows(), kRows);
  part.row(40'000)[3] = 1;
  part.row(59'999)[15] = 2;
  part.row(0)[0] = 3;
  part.row(kRows - 1)[0] = 4;
  Matrix copy = part;
  EXPECT_EQ(copy.held(), part.held());
  EXPECT_EQ(copy.row(40'000)[3], 1.0F);
  EXPECT_EQ(copy.row(59'999)[15], 2.0F);
  EXPECT_EQ(copy.row(0)[0], 0.0F);
  EXPECT_EQ(copy.row(kRows - 1)[0], 0.0F);
  part.release_others();
  EXPECT_EQ(part.row(0)[0], 0.0F);  // a page that holds no other rows
  EXPECT_EQ(part.row(40'000)[3], 1.0F);
  EXPECT_EQ(part.row(59'999)[15], 2.0F);
  copy = std::move(part);
  EXPECT_EQ(copy.row(59'999)[15], 2.0F);
}

TEST(Matrix, AnEmptyPartIsFine) {
  const Matrix part(7, 3, {7, 7});
  const Matrix copy = part;  // NOLINT: the copy is the test
  EXPECT_EQ(copy.rows(), 7U);
  EXPECT_EQ(copy.held().size(), 0U);
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
