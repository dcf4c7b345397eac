// An optimizer that keeps the gradients instead of moving the table.
#pragma once

#include <gtest/gtest.h>

#include "optim/optimizer.h"

namespace evenkeel::testing {

class Capture final : public optim::Optimizer {
 public:
  explicit Capture(const Matrix& like) : gradients(like.rows(), like.dim()) {}
  void reserve_steps(std::size_t) override {}
  void slow_down(std::uint32_t, double) override {}
  void begin_step() override {}
  void catch_up(std::span<const Row>) override {}
  void collect_stale_rows(std::span<const Row>, std::vector<Row>&) const override {}
  void finish(Threads&) override {}
  optim::OptimizerState state() override { return {}; }
  void consume(const RowGradients& block) override {
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      EXPECT_EQ(block.decay[k], 0.0F);
      for (std::size_t c = 0; c < gradients.dim(); ++c) {
        gradients.row(block.rows[k])[c] += block.gradients[k * block.stride + c];
      }
    }
  }
  Matrix gradients;
};

}  // namespace evenkeel::testing
