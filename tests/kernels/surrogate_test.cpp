// The row of a pairwise softmax against the plain formula in double.
#include "kernels/surrogate.h"

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

using kernels::Surrogate;

class SurrogateRowTest : public EveryTarget {};

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr Surrogate kKinds[] = {Surrogate::kRelu, Surrogate::kAtan, Surrogate::kTanh};

double value(Surrogate kind, double x) {
  if (kind == Surrogate::kAtan) return std::atan(x) + 1;
  return kind == Surrogate::kTanh ? std::tanh(x) + 1 : std::max(x + 1, 0.0);
}
double slope(Surrogate kind, double x) {
  if (kind == Surrogate::kAtan) return 1 / (1 + x * x);
  return kind == Surrogate::kTanh ? 1 - std::tanh(x) * std::tanh(x) : 1.0;
}

TEST_P(SurrogateRowTest, MatchesThePlainFormula) {
  const Random random(5, Purpose::kMarket);
  for (const Surrogate kind : kKinds) {
    for (const std::size_t count : {1, 7, 8, 16, 17, 128, 1027}) {
      for (const double tau : {0.02, 0.1, 0.25, 1.0, 10.0}) {
        std::vector<float> negatives(count);
        for (std::size_t k = 0; k < count; ++k) {
          const double u = random.uniform(static_cast<std::uint32_t>(k), 0);
          negatives[k] = static_cast<float>(1.9 * u - 0.95);
        }
        if (count > 3) negatives[3] = kMasked;
        const double p = double{0.3F};
        double sum = 0, pulled = 0;
        std::vector<double> expected(count);
        for (std::size_t k = 0; k < count; ++k) {
          if (negatives[k] == kMasked) continue;
          const double x = (double{negatives[k]} - p) / 2, a = value(kind, x);
          sum += std::pow(a, 2 / tau);
          expected[k] = std::pow(a, 2 / tau - 1) * slope(kind, x) / tau;
        }
        for (double& g : expected) pulled += g /= sum;
        std::vector<float> gradient(count);
        const auto row = kernels::surrogate_row(kind, 0.3F, negatives.data(), count,
                                                static_cast<float>(tau), gradient.data());
        EXPECT_NEAR(double{row.loss}, std::log(sum), 2e-5 * (1 + std::abs(std::log(sum))));
        EXPECT_NEAR(double{row.d_positive}, -pulled, 1e-4 * pulled);
        for (std::size_t k = 0; k < count; ++k) {
          EXPECT_NEAR(double{gradient[k]}, expected[k], 2e-4 * expected[k] + 1e-6) << k;
        }
      }
    }
  }
}

TEST_P(SurrogateRowTest, StaysFiniteWhereTheSurrogateIsNothing) {
  for (const Surrogate kind : kKinds) {
    for (const float tau : {0.01F, 100.0F}) {
      std::vector<float> row(21, -1.0000001F);
      const auto won =
          kernels::surrogate_row(kind, 1.0000001F, row.data(), row.size(), tau, row.data());
      EXPECT_TRUE(std::isfinite(won.loss) && std::isfinite(won.d_positive));
      for (const float g : row) EXPECT_TRUE(std::isfinite(g));
    }
  }
}

TEST_P(SurrogateRowTest, WithoutNegativesNothingMoves) {
  std::vector<float> row(5, kMasked);
  const auto none = kernels::surrogate_row(Surrogate::kRelu, 0.2F, row.data(), 5, 0.1F, row.data());
  EXPECT_EQ(none.loss, 0.0F);
  EXPECT_EQ(none.d_positive, 0.0F);
  for (const float g : row) EXPECT_EQ(g, 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Targets, SurrogateRowTest, ::testing::ValuesIn(supported_targets()),
                         target_label);

}  // namespace
}  // namespace evenkeel::testing
