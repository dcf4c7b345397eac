// Cells against plain loops, on every instruction set of this machine.
#include "kernels/cells.h"

#include <cmath>

#include "kernels/plain.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

class Cells : public EveryTarget {};

TEST_P(Cells, DotsAndSumsFollowTheirFormulas) {
  for (const std::size_t dim : {std::size_t{3}, std::size_t{64}, std::size_t{90}}) {
    const Matrix users = random_matrix(4, dim, 1), items = random_matrix(6, dim, 2);
    const std::vector<float> scale{1, 0.5F, 2, 3, -1, 0.25F};
    const std::vector<kernels::CellEntry> cell{{5, 0, 1}, {1, 0, 0}, {1, 2, 1},
                                               {0, 3, 1}, {4, 3, 0}, {2, 3, 0}};
    for (const float* by_item : {scale.data(), static_cast<const float*>(nullptr)}) {
      const kernels::CellTables tables{items.data(), items.stride(), by_item};
      const auto factor = [&](Row row) { return by_item == nullptr ? 1.0 : double{by_item[row]}; };
      std::vector<float> dots(cell.size());
      kernels::cell_dots(tables, cell, users.data(), dots.data());
      for (std::size_t k = 0; k < cell.size(); ++k) {
        const double expected =
            factor(cell[k].row) * plain_dot(users.row(cell[k].sample), items.row(cell[k].row), dim);
        EXPECT_NEAR(double{dots[k]}, expected, 1e-5) << "dim " << dim << " entry " << k;
      }
      Matrix gradients = random_matrix(4, dim, 3);
      const Matrix before = gradients;
      const std::vector<float> weights{1, -2, 0.5F, 3, 0.25F, -1};
      kernels::cell_sums(tables, cell, weights.data(), gradients.data());
      for (std::size_t sample = 0; sample < 4; ++sample) {
        for (std::size_t c = 0; c < dim; ++c) {
          double expected = double{before.row(sample)[c]};
          for (std::size_t k = 0; k < cell.size(); ++k) {
            if (cell[k].sample != sample) continue;
            const Row row = cell[k].row;
            expected += double{weights[k]} * factor(row) * double{items.row(row)[c]};
          }
          EXPECT_NEAR(double{gradients.row(sample)[c]}, expected, 1e-5);
        }
      }
    }
  }
}

// One pass leaves exponentials, their sums and the sums of rows they weigh; positives keep a dot.
TEST_P(Cells, ExponentialsFollowTheirFormula) {
  const double tau = 0.2;
  for (const std::size_t dim : {std::size_t{3}, std::size_t{64}, std::size_t{90}}) {
    const Matrix users = random_matrix(4, dim, 1), items = random_matrix(6, dim, 2);
    const std::vector<float> scale{0.1F, 0.05F, 0.02F, 0.03F, -0.1F, 0.025F};
    std::vector<kernels::CellEntry> cell;
    for (std::uint32_t k = 0; k < 37; ++k) {
      cell.push_back(kernels::cell_entry(k * 5 % 6, k / 10, k % 10 == 0));
    }
    const kernels::CellTables tables{items.data(), items.stride(), scale.data()};
    std::vector<float> out(cell.size()), totals{1, 2, 3, 4};
    Matrix gradients = random_matrix(4, dim, 3);
    const Matrix before = gradients;
    kernels::cell_exponentials(tables, cell, users.data(), static_cast<float>(tau), out.data(),
                               totals.data(), gradients.data());
    std::vector<double> expected_totals{1, 2, 3, 4};
    std::vector<std::vector<double>> expected(4);
    for (std::size_t s = 0; s < 4; ++s) expected[s].assign(before.row(s), before.row(s) + dim);
    for (std::size_t k = 0; k < cell.size(); ++k) {
      const float* item = items.row(cell[k].row);
      const double factor = double{scale[cell[k].row]};
      const double dot = factor * plain_dot(users.row(cell[k].sample), item, dim);
      const double power = std::exp((dot - 1) / tau);
      EXPECT_NEAR(double{out[k]}, cell[k].first ? dot : power, 1e-5 * (1 + power)) << k;
      if (cell[k].first) continue;
      expected_totals[cell[k].sample] += power;
      for (std::size_t c = 0; c < dim; ++c) {
        expected[cell[k].sample][c] += power * factor * double{item[c]};
      }
    }
    for (std::size_t s = 0; s < 4; ++s) {
      EXPECT_NEAR(double{totals[s]}, expected_totals[s], 1e-5 * (1 + expected_totals[s]));
      for (std::size_t c = 0; c < dim; ++c) {
        EXPECT_NEAR(double{gradients.row(s)[c]}, expected[s][c], 1e-5 * (1 + expected_totals[s]));
      }
    }
  }
}

// Where a cell ends depends on the number of threads: an entry's dot must not.
TEST_P(Cells, ADotHasTheSameBitsInEveryCell) {
  const Matrix users = random_matrix(3, 50, 4), items = random_matrix(8, 50, 5);
  std::vector<kernels::CellEntry> cell;
  for (std::uint32_t k = 0; k < 11; ++k) {
    cell.push_back(kernels::cell_entry(k % 8, k % 3, false));
  }
  const kernels::CellTables tables{items.data(), items.stride(), nullptr};
  std::vector<float> whole(cell.size()), parts(cell.size());
  kernels::cell_dots(tables, cell, users.data(), whole.data());
  for (std::size_t k = 0; k < cell.size(); ++k) {
    kernels::cell_dots(tables, std::span(cell).subspan(k, 1), users.data(), &parts[k]);
  }
  EXPECT_EQ(whole, parts);
}

INSTANTIATE_TEST_SUITE_P(Targets, Cells, ::testing::ValuesIn(supported_targets()), target_label);

}  // namespace
}  // namespace evenkeel::testing
