// Row kernels against plain double loops, for every instruction set and awkward dimensions.
#include "kernels/rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/plain.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

constexpr std::size_t kDims[] = {1, 3, 16, 17, 48, 64, 65, 130, 256};

class Rows : public EveryTarget {};

TEST_P(Rows, GatherDots) {
  for (const std::size_t dim : kDims) {
    const Matrix table = random_matrix(23, dim, 1), queries = random_matrix(1, dim, 2);
    for (const std::size_t count : {std::size_t{1}, std::size_t{4}, std::size_t{19}}) {
      std::vector<Row> ids;
      for (std::size_t k = 0; k < count; ++k) ids.push_back(static_cast<Row>(k * 7 % 23));
      std::vector<float> scale(23, 0.5F), out(count), plain(count);
      kernels::gather_dots(queries.row(0), table.data(), table.stride(), ids.data(), count,
                           scale.data(), out.data());
      kernels::gather_dots(queries.row(0), table.data(), table.stride(), ids.data(), count, nullptr,
                           plain.data());
      for (std::size_t k = 0; k < count; ++k) {
        const double expected = plain_dot(queries.row(0), table.row(ids[k]), dim);
        EXPECT_NEAR(double{out[k]}, 0.5 * expected, 1e-5) << "dim " << dim << " k " << k;
        EXPECT_NEAR(double{plain[k]}, expected, 1e-5) << "dim " << dim << " k " << k;
      }
    }
  }
}

TEST_P(Rows, GatherSum) {
  for (const std::size_t dim : kDims) {
    const Matrix table = random_matrix(11, dim, 3);
    const std::vector<Row> ids{4, 4, 0, 10, 7, 2, 9, 1};
    const std::vector<float> weights{0.5F, -1.0F, 2.0F, 0.25F, 1.0F, -0.5F, 0.75F, 3.0F};
    std::vector<float> scale(11);
    for (std::size_t r = 0; r < 11; ++r) scale[r] = 0.1F * static_cast<float>(r + 1);
    Matrix sum(1, dim);
    kernels::gather_sum(table.data(), table.stride(), ids.data(), weights.data(), ids.size(),
                        scale.data(), sum.row(0));
    for (std::size_t c = 0; c < sum.stride(); ++c) {
      double expected = 0;
      for (std::size_t k = 0; k < ids.size(); ++k) {
        expected += double{weights[k]} * double{scale[ids[k]]} * double{table.row(ids[k])[c]};
      }
      EXPECT_NEAR(double{sum.row(0)[c]}, expected, 1e-5) << "dim " << dim << " column " << c;
    }
  }
}

TEST_P(Rows, ScatteredRowsStandWhereTheirNumbersSay) {
  for (const std::size_t dim : {std::size_t{5}, std::size_t{64}, std::size_t{70}}) {
    const Matrix rows = random_matrix(3, dim, 8), before = random_matrix(9, dim, 9);
    Matrix table = before;
    const std::vector<Row> ids{8, 0, 3};
    kernels::scatter_rows(rows.data(), rows.stride(), ids.data(), ids.size(), table.data());
    for (Row row = 0; row < table.rows(); ++row) {
      const auto found = std::find(ids.begin(), ids.end(), row);
      const float* expected = found == ids.end()
                                  ? before.row(row)
                                  : rows.row(static_cast<std::size_t>(found - ids.begin()));
      EXPECT_TRUE(std::equal(expected, expected + rows.stride(), table.row(row)))
          << "dim " << dim << " row " << row;
    }
  }
}

TEST_P(Rows, GatherRowsAndWeightedSums) {
  for (const std::size_t dim : {std::size_t{5}, std::size_t{64}, std::size_t{70}}) {
    const Matrix table = random_matrix(9, dim, 8);
    const std::vector<Row> ids{8, 0, 3, 3};
    const std::vector<float> scale{1, 2, 3, 4, 5, 6, 7, 8, 9}, weights{8, 0.5F, 2, -1};
    Matrix rows(4, dim), sum(1, dim);
    kernels::gather_rows(table.data(), table.stride(), ids.data(), 4, scale.data(), rows.row(0));
    const std::vector<std::uint32_t> starts{0, 4};
    const Row row = 0;
    kernels::row_sum({.rows = {&row, 1},
                      .entries = {.starts = starts.data(),
                                  .ids = ids.data(),
                                  .readable = ids.size(),
                                  .weights = weights.data(),
                                  .summands = table.data()}},
                     0, table.stride(), sum.row(0));
    for (std::size_t c = 0; c < dim; ++c) {
      EXPECT_EQ(rows.row(2)[c], 4.0F * table.row(3)[c]);
      const double expected = 8 * double{table.row(8)[c]} + 0.5 * double{table.row(0)[c]} +
                              2 * double{table.row(3)[c]} - double{table.row(3)[c]};
      EXPECT_NEAR(double{sum.row(0)[c]}, expected, 1e-5) << "dim " << dim << " column " << c;
    }
  }
}

TEST_P(Rows, InverseNorms) {
  Matrix table = random_matrix(3, 20, 4);
  for (float& value : table.values(1)) value = 0;
  const std::vector<Row> ids{0, 1, 2};
  std::vector<float> inverse(3, -1.0F);
  kernels::inverse_norms(table.data(), table.stride(), ids.data(), 3, inverse.data());
  for (const std::size_t r : {std::size_t{0}, std::size_t{2}}) {
    const double norm = std::sqrt(plain_dot(table.row(r), table.row(r), 20));
    EXPECT_NEAR(double{inverse[r]}, 1 / norm, 1e-5);
  }
  EXPECT_EQ(inverse[1], 0.0F) << "a zero row must not divide by zero";
}

TEST_P(Rows, ProjectIsTheDerivativeOfNormalising) {
  // f(v) = g . v/|v|; project must give its gradient.
  const std::size_t dim = 18;
  Matrix v = random_matrix(1, dim, 5), g = random_matrix(1, dim, 6);
  const auto f = [&](const Matrix& at) {
    return plain_dot(g.row(0), at.row(0), dim) / std::sqrt(plain_dot(at.row(0), at.row(0), dim));
  };
  Matrix gradient = g;
  const double norm = std::sqrt(plain_dot(v.row(0), v.row(0), dim));
  const Row first = 0;
  const float inverse = static_cast<float>(1 / norm);
  kernels::project_rows(v.data(), v.stride(), &first, 1, &inverse, 2.0F, gradient.row(0));
  for (std::size_t c = 0; c < dim; ++c) {
    Matrix up = v, down = v;
    up.row(0)[c] += 1e-3F;
    down.row(0)[c] -= 1e-3F;
    const double step = double{up.row(0)[c]} - double{down.row(0)[c]};
    EXPECT_NEAR(double{gradient.row(0)[c]}, 2 * (f(up) - f(down)) / step, 1e-3) << "column " << c;
  }
}

TEST_P(Rows, DotAndScale) {
  const Matrix table = random_matrix(2, 37, 7);
  EXPECT_NEAR(double{kernels::dot(table.row(0), table.row(1), table.stride())},
              plain_dot(table.row(0), table.row(1), 37), 1e-5);
  Matrix out(1, 37);
  kernels::scale_row(table.row(0), table.stride(), -2.0F, out.row(0));
  for (std::size_t c = 0; c < 37; ++c) EXPECT_EQ(out.row(0)[c], -2.0F * table.row(0)[c]);
}

INSTANTIATE_TEST_SUITE_P(Targets, Rows, ::testing::ValuesIn(supported_targets()), target_label);

}  // namespace
}  // namespace evenkeel::testing
