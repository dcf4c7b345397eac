// Half rows against plain double loops, for every instruction set and awkward dimensions.
#include "kernels/half.h"

#include <bit>
#include <cmath>

#include "kernels/plain.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

using kernels::Half;

double value_of(Half half) {
  return double{std::bit_cast<float>(std::uint32_t{half} << 16)};
}

class HalfRows : public EveryTarget {};

TEST_P(HalfRows, NarrowTakesTheNearestAndTiesToEven) {
  AlignedArray<float> row(16);
  AlignedArray<Half> half(16);
  // 1 + 2^-8 lies between 1 and 1 + 2^-7, 1 + 3 * 2^-8 between that and 1 + 2^-6: even ones win.
  const float values[] = {
      0.0F,   -1.0F, 1.0F + 0x1p-8F, 1.0F + 0x3p-8F, 1.0F + 0x1.1p-8F, -(1.0F + 0x1.1p-8F),
      3e-38F, 1e30F};
  std::copy(std::begin(values), std::end(values), row.begin());
  kernels::narrow_row(row.data(), 16, 1.0F, half.data());
  EXPECT_EQ(value_of(half[0]), 0.0);
  EXPECT_EQ(value_of(half[1]), -1.0);
  EXPECT_EQ(value_of(half[2]), 1.0);
  EXPECT_EQ(value_of(half[3]), 1.0 + 0x1p-6);
  EXPECT_EQ(value_of(half[4]), 1.0 + 0x1p-7);
  EXPECT_EQ(value_of(half[5]), -(1.0 + 0x1p-7));
  EXPECT_NEAR(value_of(half[6]) / 3e-38, 1.0, 0x1p-8);
  EXPECT_NEAR(value_of(half[7]) / 1e30, 1.0, 0x1p-8);
  kernels::narrow_row(row.data(), 16, -0.5F, half.data());
  EXPECT_EQ(value_of(half[1]), 0.5) << "the scale comes before the rounding";
}

TEST_P(HalfRows, SumsAndAddedRows) {
  for (const std::size_t dim : {1, 16, 17, 64, 65, 130}) {
    const Matrix table = random_matrix(11, dim, 3);
    const std::size_t stride = table.stride();
    AlignedArray<Half> half(11 * stride);
    for (std::size_t r = 0; r < 11; ++r) {
      kernels::narrow_row(table.row(r), stride, 0.25F, half.data() + r * stride);
    }
    const std::vector<Row> ids{4, 4, 0, 10, 7, 2, 9, 1};
    const std::size_t count = 6, more = 2;
    Matrix sum(1, dim), added = random_matrix(1, dim, 5);
    const Matrix before = added;
    kernels::sum_half_rows(half.data(), stride, ids.data(), count, more, sum.row(0));
    kernels::add_half_row(half.data() + 3 * stride, stride, -2.0F, added.row(0));
    for (std::size_t c = 0; c < stride; ++c) {
      double expected = 0;
      for (std::size_t k = 0; k < count; ++k) expected += value_of(half[ids[k] * stride + c]);
      EXPECT_NEAR(double{sum.row(0)[c]}, expected, 1e-6) << "dim " << dim << " column " << c;
      EXPECT_NEAR(value_of(half[3 * stride + c]), 0.25 * double{table.row(3)[c]},
                  std::abs(double{table.row(3)[c]}) * 0x1p-10);
      EXPECT_NEAR(double{added.row(0)[c]},
                  double{before.row(0)[c]} - 2 * value_of(half[3 * stride + c]), 1e-6);
    }
    kernels::sum_half_rows(half.data(), stride, ids.data(), 0, 0, sum.row(0));
    EXPECT_EQ(sum.row(0)[0], 0.0F) << "a sum of nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HalfRows, ::testing::ValuesIn(supported_targets()), target_label);

}  // namespace
}  // namespace evenkeel::testing
