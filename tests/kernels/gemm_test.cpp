// The tile product against plain loops: every shape that leaves a rest, all three stride patterns.
#include "kernels/gemm.h"

#include <cmath>

#include "base/matrix.h"
#include "base/rng.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

float value(std::size_t row, std::size_t column) {
  const Random random(4, Purpose::kMarket);
  return static_cast<float>(
      random.uniform(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)) - 0.5);
}

class GemmTest : public EveryTarget {};

TEST_P(GemmTest, MatchesPlainLoops) {
  for (const std::size_t rows : {1, 2, 5, 6, 7, 13, 14, 15, 29}) {
    for (const std::size_t depth : {1, 3, 64}) {
      for (const bool transposed : {false, true}) {
        const std::size_t columns = 48;
        std::vector<float> a(rows * depth);
        const std::size_t a_row = transposed ? 1 : depth, a_depth = transposed ? rows : 1;
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t k = 0; k < depth; ++k) a[i * a_row + k * a_depth] = value(i, k);
        }
        Matrix b(depth, columns), c(rows, columns);
        for (std::size_t k = 0; k < depth; ++k) {
          for (std::size_t j = 0; j < columns; ++j) b.row(k)[j] = value(100 + k, j);
        }
        for (const bool accumulate : {false, true}) {  // the second pass doubles the first
          kernels::gemm({.rows = rows,
                         .panels = columns / 16,
                         .depth = depth,
                         .a = a.data(),
                         .a_row = a_row,
                         .a_depth = a_depth,
                         .b = b.data(),
                         .b_panel = 16,
                         .b_depth = b.stride(),
                         .c = c.data(),
                         .c_row = c.stride(),
                         .accumulate = accumulate});
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
              double expected = 0;
              for (std::size_t k = 0; k < depth; ++k) {
                expected += double{value(i, k)} * double{value(100 + k, j)};
              }
              EXPECT_NEAR(double{c.row(i)[j]}, (accumulate ? 2 : 1) * expected, 1e-5)
                  << rows << " x " << depth << " at " << i << ", " << j;
            }
          }
        }
      }
    }
  }
}

TEST_P(GemmTest, PanelsAreTheTranspose) {
  Matrix rows(21, 33);
  for (std::size_t r = 0; r < 21; ++r) {
    for (std::size_t c = 0; c < 33; ++c) rows.row(r)[c] = value(r, c);
  }
  AlignedArray<float> panels(32 * rows.stride());
  for (float& x : panels) x = -7;
  kernels::pack_panels(rows.data(), 21, rows.stride(), panels.data());
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < rows.stride(); ++c) {
      const float expected = r < 21 ? rows.row(r)[c] : 0.0F;
      EXPECT_EQ(panels[r / 16 * 16 * rows.stride() + c * 16 + r % 16], expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, GemmTest, ::testing::ValuesIn(supported_targets()), target_label);

}  // namespace
}  // namespace evenkeel::testing
