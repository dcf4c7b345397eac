// The fused softmax row against the plain formula in double.
#include "kernels/softmax.h"

#include <cmath>
#include <limits>

#include "base/rng.h"
#include "kernels/plain.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

class SoftmaxRowTest : public EveryTarget {};

struct Reference {
  double loss, d_positive;
  std::vector<double> d_negatives;
};

Reference plain(double positive, const std::vector<float>& negatives, double tau) {
  double top = positive;
  for (const float n : negatives) top = std::max(top, double{n});
  const double own = std::exp((positive - top) / tau);
  double rest = 0;
  for (const float n : negatives) rest += std::exp((double{n} - top) / tau);
  Reference out{std::log(own + rest) - (positive - top) / tau, -rest / (own + rest) / tau, {}};
  for (const float n : negatives) {
    out.d_negatives.push_back(std::exp((double{n} - top) / tau) / (own + rest) / tau);
  }
  return out;
}

TEST_P(SoftmaxRowTest, MatchesThePlainFormula) {
  const Random random(3, Purpose::kMarket);
  for (const std::size_t count : {0, 1, 7, 8, 15, 16, 17, 128, 1027}) {
    for (const float tau : {0.01F, 0.1F, 1.0F, 10.0F}) {
      std::vector<float> negatives(count);
      for (std::size_t k = 0; k < count; ++k) {
        negatives[k] = static_cast<float>(2 * random.uniform(static_cast<std::uint32_t>(k), 0) - 1);
      }
      if (count > 3) negatives[3] = -std::numeric_limits<float>::infinity();
      std::vector<float> gradient(count);
      const auto row = kernels::softmax_row(0.3F, negatives.data(), count, tau, gradient.data());
      const Reference expected = plain(double{0.3F}, negatives, double{tau});
      EXPECT_NEAR(double{row.loss}, expected.loss, 2e-5 * (1 + expected.loss));
      EXPECT_NEAR(double{row.d_positive}, expected.d_positive,
                  1e-4 * std::abs(expected.d_positive) + 1e-6);
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_NEAR(double{gradient[k]}, expected.d_negatives[k],
                    1e-4 * expected.d_negatives[k] + 1e-6);
      }
    }
  }
}

TEST_P(SoftmaxRowTest, WorksInPlaceAndAtTheExtremes) {
  std::vector<float> row(40, -1.0F);
  const auto low = kernels::softmax_row(-1.0F, row.data(), row.size(), 0.01F, row.data());
  EXPECT_NEAR(double{low.loss}, std::log(41.0), 1e-4);  // all logits -100: no underflow
  std::vector<float> high(40, 1.0F);
  const auto lost = kernels::softmax_row(-1.0F, high.data(), high.size(), 0.01F, high.data());
  EXPECT_NEAR(double{lost.loss}, 200 + std::log(40.0), 1e-2);
  for (const float g : high) EXPECT_TRUE(std::isfinite(g));
}

TEST_P(SoftmaxRowTest, ExponentialsMatchThePlainFormula) {
  const Random random(4, Purpose::kMarket);
  for (const std::size_t count : {0, 1, 7, 16, 17, 128, 1027}) {
    for (const float tau : {0.025F, 0.1F, 1.0F, 10.0F}) {
      std::vector<float> values(count), out;
      for (std::size_t k = 0; k < count; ++k) {
        values[k] = static_cast<float>(2 * random.uniform(static_cast<std::uint32_t>(k), 0) - 1);
      }
      if (count > 16) values[3] = -std::numeric_limits<float>::infinity(), values[5] = 1;
      out = values;
      const float sum = kernels::exponentials(out.data(), count, tau);
      double expected = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const double e = std::exp((double{values[k]} - 1) / double{tau});
        EXPECT_NEAR(double{out[k]}, e, 1e-5 * e) << values[k] << " tau " << tau;
        expected += e;
      }
      EXPECT_NEAR(double{sum}, expected, 1e-5 * expected);
      if (count > 16) {
        EXPECT_EQ(out[3], 0.0F);
        EXPECT_EQ(out[5], 1.0F);
      }
    }
  }
}

// One pass over rows leaves exponentials, their sum, and the sum of the rows they weigh; whether
// others follow, which are fetched, changes nothing.
TEST_P(SoftmaxRowTest, ExponentialsOfRowsFollowTheirFormula) {
  const double tau = 0.2;
  for (const std::size_t dim : {std::size_t{3}, std::size_t{64}, std::size_t{90}}) {
    for (const std::size_t count : {0, 1, 5, 16, 37}) {
      const Matrix user = random_matrix(1, dim, 1), items = random_matrix(6, dim, 2);
      const std::vector<float> scale{0.1F, 0.05F, 0.02F, 0.03F, -0.1F, 0.025F};
      std::vector<Row> ids;
      for (std::uint32_t k = 0; k < count + 20; ++k) ids.push_back(k * 5 % 6);
      std::vector<float> out(count + 1, -1.0F);
      Matrix sum = random_matrix(1, dim, 3);  // what it held before does not count
      const float total = kernels::gather_exponentials(
          user.data(), {items.data(), items.stride(), ids.data(), count, 20, scale.data()},
          static_cast<float>(tau), out.data(), sum.data());
      double expected_total = 0;
      std::vector<double> expected(dim, 0.0);
      for (std::size_t k = 0; k < count; ++k) {
        const double factor = double{scale[ids[k]]};
        const double dot = factor * plain_dot(user.data(), items.row(ids[k]), dim);
        const double power = std::exp((dot - 1) / tau);
        EXPECT_NEAR(double{out[k]}, power, 1e-5 * power) << k;
        expected_total += power;
        for (std::size_t c = 0; c < dim; ++c) {
          expected[c] += power * factor * double{items.row(ids[k])[c]};
        }
      }
      EXPECT_EQ(out[count], -1.0F);
      EXPECT_NEAR(double{total}, expected_total, 1e-5 * expected_total);
      for (std::size_t c = 0; c < sum.stride(); ++c) {
        const double at = c < dim ? expected[c] : 0.0;
        EXPECT_NEAR(double{sum.data()[c]}, at, 1e-5 * expected_total) << dim << " column " << c;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SoftmaxRowTest, ::testing::ValuesIn(supported_targets()),
                         target_label);

}  // namespace
}  // namespace evenkeel::testing
