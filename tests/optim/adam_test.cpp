// Adam against its formula in double, and lazy rows against rows that move in every step.
#include "optim/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/rng.h"
#include "kernels/rows.h"

namespace evenkeel::optim {
namespace {

constexpr std::size_t kRows = 6, kDim = 19;

Matrix filled(double scale) {
  Matrix matrix(kRows, kDim);
  const Random random(9, Purpose::kMarket);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kDim; ++c) {
      matrix.row(r)[c] = static_cast<float>(
          scale *
          (random.uniform(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c)) - 0.5));
    }
  }
  return matrix;
}

// The gradient of row r at step t; zero unless the row is touched.
void gradient_of(std::size_t r, int t, float* out) {
  const Random random(static_cast<std::uint64_t>(t), Purpose::kMarket, 7);
  for (std::size_t c = 0; c < kDim; ++c) {
    out[c] = static_cast<float>(
        random.uniform(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c)) - 0.4);
  }
}

bool touched(std::size_t r, int t) {
  return r == 0 || (r < 5 && t % static_cast<int>(7 * r) == 3);
}

void step(Adam& adam, int t, bool dense) {
  adam.begin_step();
  for (std::size_t r = 0; r < kRows; ++r) {
    if (!dense && !touched(r, t)) continue;
    const std::vector<Row> rows{static_cast<Row>(r)};
    Matrix gradient(1, kDim);
    if (touched(r, t)) gradient_of(r, t, gradient.row(0));
    const float decay = 0;
    adam.catch_up(rows);
    adam.consume({rows, gradient.data(), gradient.stride(), &decay});
  }
}

TEST(Adam, RowsThatWaitEndBitIdenticalToRowsThatMoveEveryStep) {
  Matrix lazy_table = filled(0.2), dense_table = filled(0.2);
  Adam lazy(lazy_table, 0.01), dense(dense_table, 0.01);
  Threads threads(2);
  for (int t = 1; t <= 150; ++t) {
    step(lazy, t, false);
    step(dense, t, true);
  }
  EXPECT_NE(std::memcmp(lazy_table.row(4), dense_table.row(4), kDim * sizeof(float)), 0)
      << "row 4 should still be waiting";
  lazy.finish(threads);
  for (std::size_t r = 0; r < kRows; ++r) {
    EXPECT_EQ(std::memcmp(lazy_table.row(r), dense_table.row(r), kDim * sizeof(float)), 0)
        << "row " << r;
  }
}

TEST(Adam, RowsThatWaitSeeTheRateFall) {
  Matrix lazy_table = filled(0.2), dense_table = filled(0.2), constant_table = filled(0.2);
  Adam lazy(lazy_table, 0.01), dense(dense_table, 0.01), constant(constant_table, 0.01);
  Threads threads(2);
  for (int t = 1; t <= 150; ++t) {
    for (Adam* adam : {&lazy, &dense, &constant}) step(*adam, t, adam == &dense);
    if (t != 60 && t != 90) continue;
    lazy.slow_down(static_cast<std::uint32_t>(t), 0.3);
    dense.slow_down(static_cast<std::uint32_t>(t), 0.3);
  }
  for (Adam* adam : {&lazy, &constant}) adam->finish(threads);
  for (std::size_t r = 0; r < kRows; ++r) {
    EXPECT_EQ(std::memcmp(lazy_table.row(r), dense_table.row(r), kDim * sizeof(float)), 0)
        << "row " << r;
  }
  EXPECT_NE(std::memcmp(lazy_table.row(0), constant_table.row(0), kDim * sizeof(float)), 0);
}

TEST(Adam, AVeryLongWaitEndsWithinARoundingOfTheDenseRow) {
  Matrix lazy_table = filled(0.2), dense_table = filled(0.2);
  Adam lazy(lazy_table, 0.01), dense(dense_table, 0.01);
  Threads threads(1);
  const std::vector<Row> rows{0};
  Matrix gradient(1, kDim), zero(1, kDim);
  gradient_of(0, 1, gradient.row(0));
  const float decay = 0;
  for (int t = 1; t <= 900; ++t) {
    lazy.begin_step();
    dense.begin_step();
    const Matrix& g = t == 1 ? gradient : zero;
    dense.consume({rows, g.data(), g.stride(), &decay});
    if (t == 1) lazy.consume({rows, g.data(), g.stride(), &decay});
  }
  lazy.finish(threads);
  for (std::size_t c = 0; c < kDim; ++c) {
    EXPECT_NEAR(lazy_table.row(0)[c], dense_table.row(0)[c], 1e-7F) << "column " << c;
  }
}

// Steps in double, from the float state a row has when it begins to wait.
void dense_steps(std::uint32_t from, std::uint32_t until, double rate, double& p, double& m,
                 double& v) {
  for (std::uint32_t t = from; t <= until; ++t) {
    const double beta1 = double{0.9F}, beta2 = double{0.999F};
    m *= beta1;
    v *= beta2;
    p -= rate * m / (1 - std::pow(beta1, t)) / (std::sqrt(v / (1 - std::pow(beta2, t))) + 1e-8);
  }
}

// A wait is one sum instead of many steps: it must be as close to the truth as a float row can be.
// Rows that begin to wait early first replay some steps, each with a rounding of its own.
TEST(Adam, AWaitEndsWhereItsStepsInDoubleEnd) {
  constexpr double kRate = 0.01;
  const float decay = 0;
  for (const std::uint32_t begin : {1U, 20U, 90U, 170U, 230U}) {
    for (const float size : {1.0F, 1e-3F, 1e-6F, 3e-8F}) {  // the last two near and below epsilon
      for (const std::uint32_t wait : {1U, 2U, 7U, 30U, 199U, 200U, 201U, 500U}) {
        Matrix table = filled(0.2);
        Adam adam(table, kRate);
        const std::vector<Row> rows{0};
        Matrix gradient(1, kDim);
        for (std::uint32_t t = 1; t <= begin; ++t) {
          gradient_of(0, static_cast<int>(t), gradient.row(0));
          for (std::size_t c = 0; c < kDim; ++c) gradient.row(0)[c] *= size;
          adam.begin_step();
          adam.consume({rows, gradient.data(), gradient.stride(), &decay});
        }
        const OptimizerState state = adam.state();
        const Matrix start = table, first = *state.matrices[0].second,
                     second = *state.matrices[1].second;
        for (std::uint32_t t = 0; t <= wait; ++t) adam.begin_step();
        adam.catch_up(rows);
        const std::uint32_t replayed = std::min(wait, SkippedSteps::replayed_until(begin) - begin);
        const double roundings = 1 + 0.5 * replayed;
        for (std::size_t c = 0; c < kDim; ++c) {
          double p = double{start.row(0)[c]}, m = double{first.row(0)[c]},
                 v = double{second.row(0)[c]};
          dense_steps(begin + 1, begin + wait, kRate, p, m, v);
          const double rounding = std::abs(p) * 0x1.0p-23, pull = std::abs(p - start.row(0)[c]);
          EXPECT_NEAR(double{table.row(0)[c]}, p, roundings * rounding + 2e-6 * pull)
              << "gradients of " << size << ", " << wait << " steps from " << begin << ", column "
              << c;
          const double share = 1e-6 + replayed * 0x1.0p-24;
          EXPECT_NEAR(double{state.matrices[0].second->row(0)[c]}, m, share * std::abs(m) + 1e-30);
          EXPECT_NEAR(double{state.matrices[1].second->row(0)[c]}, v, share * v + 1e-30);
        }
      }
    }
  }
}

TEST(Adam, FollowsItsFormula) {
  Matrix table = filled(0.2);
  const Matrix start = table;
  const double decay = 0.03;
  Adam adam(table, 0.02);
  double p = double{start.row(2)[4]}, m = 0, v = 0;
  const std::vector<Row> rows{2};
  for (int t = 1; t <= 5; ++t) {
    Matrix gradient(1, kDim);
    gradient_of(2, t, gradient.row(0));
    const float decay_now = static_cast<float>(decay);
    adam.begin_step();
    adam.consume({rows, gradient.data(), gradient.stride(), &decay_now});
    const double g = double{gradient.row(0)[4]} + decay * p;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    p -= 0.02 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    EXPECT_NEAR(double{table.row(2)[4]}, p, 2e-6) << "step " << t;
  }
  EXPECT_EQ(std::memcmp(table.row(1), start.row(1), kDim * sizeof(float)), 0)
      << "a row that was never touched moved";
  EXPECT_EQ(table.row(2)[kDim], 0.0F) << "the padding moved";
}

// Rows 1 and 4 from entries: sums, projection, L2 and norms on the way against the plain kernels
// and blocks of gradients.
TEST(Adam, SumsMoveRowsAsFinishedGradientsDo) {
  for (const std::size_t dim : {std::size_t{19}, std::size_t{64}, std::size_t{130}}) {
    for (const bool cosine : {false, true}) {
      for (const bool weighted : {false, true}) {
        Matrix whole_table(kRows, dim), summands(5, dim);
        for (Matrix* matrix : {&whole_table, &summands}) {
          for (std::size_t r = 0; r < matrix->rows(); ++r) {
            for (std::size_t c = 0; c < dim; ++c) {
              matrix->row(r)[c] = 0.1F * std::sin(static_cast<float>(7 * r + 3 * c + dim));
            }
          }
        }
        Matrix fused_table = whole_table;
        Adam whole(whole_table, 0.01), fused(fused_table, 0.01);
        const std::size_t stride = summands.stride();
        const std::vector<Row> rows{1, 4};
        const std::vector<std::uint32_t> starts{0, 3, 4}, ids{0, 2, 4, 1};
        const std::vector<float> weights{0.5F, -1.5F, 2.0F, 0.25F};
        std::vector<float> inverse(kRows), norms(kRows, -1.0F);
        kernels::inverse_norms(whole_table.data(), stride, rows.data(), 2, inverse.data());
        Matrix room(1, dim), gradients(2, dim);
        const RowSums sums{.rows = rows,
                           .entries = {.starts = starts.data(),
                                       .ids = ids.data(),
                                       .readable = ids.size(),
                                       .weights = weighted ? weights.data() : nullptr,
                                       .summands = summands.data()},
                           .normalisation = {.inverse_norms = cosine ? inverse.data() : nullptr,
                                             .new_norms = norms.data(),
                                             .scale = 0.25F},
                           .decay = {.per_entry = 0.01F, .counted = weighted ? kAllEntries : 2},
                           .scratch_row = room.data(),
                           .past_caches = weighted == cosine};
        for (std::size_t k = 0; k < 2; ++k) {
          for (std::size_t e = starts[k]; e < starts[k + 1]; ++e) {
            kernels::add_scaled(summands.row(ids[e]), stride, weighted ? weights[e] : 1.0F,
                                gradients.row(k));
          }
        }
        if (cosine) {
          kernels::project_rows(whole_table.data(), stride, rows.data(), 2, inverse.data(), 0.25F,
                                gradients.data());
        } else {
          kernels::scale_row(gradients.data(), 2 * stride, 0.25F, gradients.data());
        }
        const std::vector<float> decay{0.01F * (weighted ? 3.0F : 1.0F), 0.01F};
        whole.begin_step();
        fused.begin_step();
        whole.consume({rows, gradients.data(), stride, decay.data()});
        fused.consume_sums(sums);
        EXPECT_EQ(
            std::memcmp(whole_table.data(), fused_table.data(), whole_table.size() * sizeof(float)),
            0)
            << "dim " << dim << " cosine " << cosine << " weighted " << weighted;
        EXPECT_NE(fused_table.row(1)[0], 0.1F * std::sin(static_cast<float>(7 + dim)));
        std::vector<Row> waiting;
        fused.collect_stale_rows(rows, waiting);
        EXPECT_TRUE(waiting.empty());
        kernels::inverse_norms(fused_table.data(), stride, rows.data(), 2, inverse.data());
        EXPECT_EQ(norms[1], inverse[1]);
        EXPECT_EQ(norms[4], inverse[4]);
        EXPECT_EQ(norms[0], -1.0F) << "a row that was not named";
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::optim
