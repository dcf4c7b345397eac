// Cells against plain loops, on every instruction set of this machine.
#include "kernels/cells.h"

#include "kernels/plain.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

class Cells : public EveryTarget {};

TEST_P(Cells, DotsAndSumsFollowTheirFormulas) {
  for (const std::size_t dim : {std::size_t{3}, std::size_t{64}, std::size_t{90}}) {
    const Matrix users = random_matrix(4, dim, 1), items = random_matrix(6, dim, 2);
    const std::vector<float> scale{1, 0.5F, 2, 3, -1, 0.25F};
    const std::vector<kernels::CellEntry> cell{{5, 0}, {1, 0}, {1, 2}, {0, 3}, {4, 3}, {2, 3}};
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

// Where a cell ends depends on the number of threads: an entry's dot must not.
TEST_P(Cells, ADotHasTheSameBitsInEveryCell) {
  const Matrix users = random_matrix(3, 50, 4), items = random_matrix(8, 50, 5);
  std::vector<kernels::CellEntry> cell;
  for (std::uint32_t k = 0; k < 11; ++k) cell.push_back({k % 8, k % 3});
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
