// SL@K, PSL and WARP against their formulas, written out in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "loss/formulas.h"
#include "loss/masked.h"
#include "loss/registry.h"

namespace evenkeel::loss {
namespace {

constexpr float kThreshold = 0.2F;

struct SmallWorld {
  std::vector<std::uint32_t> users{3, 1}, items = std::vector<std::uint32_t>(11, 1);
  Margins margins = Margins::constant(0, 2, 11);

  std::unique_ptr<Loss> loss(const char* name, const std::map<const char*, Value>& options) const {
    Settings settings(find_loss(name).fields);
    for (const auto& [option, value] : options) settings.set(option, value);
    auto made = find_loss(name).make(settings, {users, items, &margins});
    if (!made->thresholds().empty()) made->thresholds()[1] = kThreshold;
    return made;
  }
};

struct Computed {
  float loss, d_positive;
  std::vector<float> d_negatives;
  bool capped;
};

Computed compute(const Loss& loss, float positive, const std::vector<float>& negatives) {
  Computed out{0, 0, negatives, false};
  Sample sample{.user = 1, .item = 2, .positive = positive};
  sample.negatives = sample.d_negatives = out.d_negatives.data();  // in place, as steps do
  sample.count = negatives.size();
  for (const float n : negatives) sample.unmasked += n != kMasked ? 1 : 0;
  out.loss = loss.compute(sample);
  out.d_positive = sample.d_positive;
  out.capped = sample.capped;
  return out;
}

const std::vector<float> kNegatives{0.1F, -0.35F, kMasked, 0.62F, 0.4F, -0.8F};

TEST(SlAtK, IsItsFormula) {
  for (const double margin : {0.0, 0.35}) {
    SmallWorld world;
    world.margins = Margins::constant(margin, 2, 11);
    for (const double tau : {0.01, 0.1, 0.25}) {
      for (const double tau_w : {0.1, 1.0, 3.0}) {
        const auto loss = world.loss("sl-at-k", {{"tau", tau}, {"tau-weight", tau_w}});
        for (const float positive : {-0.4F, 0.2F, 0.7F}) {
          const double c = double{positive}, b = double{kThreshold};
          const double theta = std::acos(c), pushed = std::cos(theta + margin);
          const double slope = std::sin(theta + margin) / std::sin(theta);
          const double w = 1 / (1 + std::exp(-(c - b) / tau_w));
          double sum = 0;
          for (const float n : kNegatives) sum += std::exp((double{n} - pushed) / tau);
          const double value = w * std::log(sum);
          const double pull = w * (1 - w) / tau_w * std::log(sum) - w * slope / tau;
          const Computed out = compute(*loss, positive, kNegatives);
          EXPECT_NEAR(double{out.loss}, value, 2e-5 * (1 + std::abs(value)));
          EXPECT_NEAR(double{out.d_positive}, pull, 1e-4 * (1 + std::abs(pull)));
          for (std::size_t k = 0; k < kNegatives.size(); ++k) {
            const double push = w * std::exp((double{kNegatives[k]} - pushed) / tau) / sum / tau;
            EXPECT_NEAR(double{out.d_negatives[k]}, push, 1e-4 * push + 1e-6);
          }
        }
      }
    }
  }
}

// Without a margin and with an even weight it is half the softmax whose positive is out of the sum.
TEST(SlAtK, AnEvenWeightIsHalfASoftmax) {
  const SmallWorld world;
  const auto loss = world.loss("sl-at-k", {{"tau-weight", 100.0}});
  const auto softmax = world.loss("softmax", {{"negative-weight", 1.0}});
  const Computed half = compute(*loss, kThreshold, kNegatives);
  const Computed whole = compute(*softmax, kThreshold, kNegatives);
  EXPECT_NEAR(double{half.loss}, 0.5 * double{whole.loss}, 1e-5);
  for (std::size_t k = 0; k < kNegatives.size(); ++k) {
    EXPECT_NEAR(double{half.d_negatives[k]}, 0.5 * double{whole.d_negatives[k]}, 1e-5);
  }
}

TEST(SlAtK, EveryUserHasAThresholdThatStartsAtZero) {
  const SmallWorld world;
  Settings settings(find_loss("sl-at-k").fields);
  const auto loss = find_loss("sl-at-k").make(settings, {world.users, world.items, &world.margins});
  ASSERT_EQ(loss->thresholds().size(), 2U);
  for (const float threshold : loss->thresholds()) EXPECT_EQ(threshold, 0.0F);
  EXPECT_TRUE(world.loss("softmax", {})->thresholds().empty());
}

TEST(SlAtK, WithoutNegativesNothingMoves) {
  const auto loss = SmallWorld().loss("sl-at-k", {});
  Sample sample{.user = 1, .item = 2, .positive = 0.4F};
  EXPECT_EQ(loss->partition_loss()->compute_from_sum(sample, 0.0F), 0.0F);
  EXPECT_EQ(sample.d_positive, 0.0F);
  EXPECT_TRUE(std::isfinite(sample.factor) && sample.factor > 0);
}

TEST(SlAtK, CapTakesTheSoftmaxGradientAndSaysSo) {
  SmallWorld world;
  world.margins = Margins::constant(3.0, 2, 11);
  EXPECT_TRUE(compute(*world.loss("sl-at-k", {}), -0.5F, kNegatives).capped);
}

TEST(Psl, IsItsFormula) {
  const SmallWorld world;
  for (const std::string kind : {"relu", "atan", "tanh"}) {
    for (const double tau : {0.05, 0.25}) {
      const auto loss = world.loss("psl", {{"tau", tau}, {"surrogate", kind}});
      const double c = double{0.3F};
      const auto a = [&](double x) {
        return kind == "relu" ? std::max(x + 1, 0.0)
                              : 1 + (kind == "atan" ? std::atan(x) : std::tanh(x));
      };
      const auto total = [&](double p, std::size_t moved, double by) {
        double sum = 0;
        for (std::size_t k = 0; k < kNegatives.size(); ++k) {
          if (kNegatives[k] == kMasked) continue;
          const double n = double{kNegatives[k]} + (k == moved ? by : 0);
          sum += std::pow(a((n - p) / 2), 2 / tau);
        }
        return std::log(sum);
      };
      constexpr std::size_t kNone = 99;
      constexpr double kStep = 1e-5;
      const Computed out = compute(*loss, 0.3F, kNegatives);
      const double value = total(c, kNone, 0);
      EXPECT_NEAR(double{out.loss}, value, 1e-5 * (1 + std::abs(value))) << kind;
      const double pull = (total(c + kStep, kNone, 0) - total(c - kStep, kNone, 0)) / (2 * kStep);
      EXPECT_NEAR(double{out.d_positive}, pull, 1e-4 * std::abs(pull)) << kind;
      for (std::size_t k = 0; k < kNegatives.size(); ++k) {
        const double push = (total(c, k, kStep) - total(c, k, -kStep)) / (2 * kStep);
        EXPECT_NEAR(double{out.d_negatives[k]}, push, 1e-4 * push + 1e-6) << kind << " " << k;
      }
      double d_positive = 0;
      std::vector<double> negatives(kNegatives.begin(), kNegatives.end());
      const auto surrogate = kind == "relu"   ? kernels::Surrogate::kRelu
                             : kind == "atan" ? kernels::Surrogate::kAtan
                                              : kernels::Surrogate::kTanh;
      EXPECT_NEAR(formulas::psl(surrogate, c, negatives.data(), negatives.size(), tau, d_positive,
                                negatives.data()),
                  value, 1e-12);
      EXPECT_NEAR(d_positive, pull, 1e-6 * std::abs(pull));
    }
  }
}

// Near 0 every surrogate is the exponential: close cosines give nearly the softmax without its
// positive, at the same temperature.
TEST(Psl, HasTheTemperatureOfTheSoftmax) {
  const SmallWorld world;
  const auto softmax = world.loss("softmax", {{"negative-weight", 1.0}, {"tau", 0.25}});
  const std::vector<float> close{0.31F, 0.29F, 0.3F};
  const Computed expected = compute(*softmax, 0.3F, close);
  for (const std::string kind : {"relu", "atan", "tanh"}) {
    const auto loss = world.loss("psl", {{"tau", 0.25}, {"surrogate", kind}});
    const Computed out = compute(*loss, 0.3F, close);
    EXPECT_NEAR(double{out.loss}, double{expected.loss}, 1e-3) << kind;
    EXPECT_NEAR(double{out.d_positive}, double{expected.d_positive}, 0.05) << kind;
  }
}

TEST(Warp, TakesTheFirstDrawThatViolates) {
  const auto loss = SmallWorld().loss("warp", {});  // 11 items
  const Computed out = compute(*loss, 2.0F, {0.5F, kMasked, -3.0F, 1.5F, 4.0F});
  const double weight = std::log(std::floor(10.0 / 3.0));  // the third that was drawn
  EXPECT_NEAR(double{out.loss}, weight * 0.5, 1e-6);
  EXPECT_NEAR(double{out.d_positive}, -weight, 1e-6);
  EXPECT_EQ(out.d_negatives, (std::vector<float>{0, 0, 0, -out.d_positive, 0}));
}

TEST(Warp, NothingMovesWhereNoneViolates) {
  const auto loss = SmallWorld().loss("warp", {});
  const Computed out = compute(*loss, 2.0F, {0.5F, 1.0F, kMasked});  // 1 = 2 - 1: just kept
  EXPECT_EQ(out.loss, 0.0F);
  EXPECT_EQ(out.d_positive, 0.0F);
  EXPECT_EQ(out.d_negatives, std::vector<float>(3, 0.0F));
}

TEST(Warp, ALateViolationOfASmallCatalogueWeighsNothing) {
  const auto loss = SmallWorld().loss("warp", {});
  std::vector<float> negatives(40, -5.0F);
  negatives[30] = 3.0F;  // 10 / 31 is below 1: the positive is first already
  EXPECT_EQ(compute(*loss, 2.0F, negatives).loss, 0.0F);
}

}  // namespace
}  // namespace evenkeel::loss
