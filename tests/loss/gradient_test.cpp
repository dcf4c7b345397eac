// Every loss of the registry against finite differences of itself: a new loss is tested by being in
// the table. Inputs cover ordinary rows, ties, extremes and masked negatives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/settings.h"
#include "loss/masked.h"
#include "loss/registry.h"

namespace evenkeel::loss {
namespace {

struct Case {
  std::string name;
  float positive;
  std::vector<float> negatives;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"ordinary", 0.3F, {0.1F, -0.2F, 0.55F, 0.05F}}, {"one_negative", -0.4F, {0.2F}},
      {"ties", 0.25F, {0.25F, 0.25F, 0.25F}},          {"masked", 0.1F, {0.45F, kMasked, -0.3F}},
      {"many", 0.6F, std::vector<float>(37, 0.33F)},
  };
  return kCases;
}

// "softmax": a loss as it is; "softmax weighted": with a weight of its negatives; "psl tanh": with
// another surrogate.
struct Variant {
  explicit Variant(const std::string& label)
      : loss(label.substr(0, label.find(' '))),
        kind(label == loss ? "" : label.substr(loss.size() + 1)) {}
  std::string loss, kind;
};

// A loss over a small world with margins.
struct World {
  const LossEntry& entry;
  std::vector<std::uint32_t> user_popularity{1, 2, 5}, item_popularity{1, 3, 3, 9};
  Margins margins = Margins::constant(0.4, 3, 4);
  Settings settings;
  explicit World(const Variant& variant) : entry(find_loss(variant.loss)), settings(entry.fields) {
    if (variant.kind == "weighted") {
      settings.set("negative-weight", Value(1.3));
    } else if (!variant.kind.empty()) {
      settings.set("surrogate", Value(variant.kind));
    }
    if (settings.has("ccl-margin")) settings.set("ccl-margin", Value(-0.25));
  }
  explicit World(const std::string& label) : World(Variant(label)) {}
  LossInputs inputs() const { return {user_popularity, item_popularity, &margins}; }
  std::unique_ptr<Loss> loss() const {
    auto made = entry.make(settings, inputs());
    const auto thresholds = made->thresholds();
    std::fill(thresholds.begin(), thresholds.end(), 0.15F);
    return made;
  }
};

float loss_at(const Loss& loss, float positive, const std::vector<float>& negatives,
              Sample* out = nullptr, std::vector<float>* gradient = nullptr) {
  std::vector<float> d_negatives(negatives.size());
  Sample sample{.user = 1,
                .item = 2,
                .positive = positive,
                .negatives = negatives.data(),
                .count = negatives.size(),
                .unmasked = 0,
                .d_negatives = d_negatives.data()};
  for (const float n : negatives) sample.unmasked += n != kMasked ? 1 : 0;
  const float value = loss.compute(sample);
  if (out != nullptr) *out = sample;
  if (gradient != nullptr) *gradient = d_negatives;
  return value;
}

double slope(const Loss& loss, const Case& one, int which) {
  const float h = 4e-3F;
  const auto moved = [&](float by) {
    Case copy = one;
    (which < 0 ? copy.positive : copy.negatives[static_cast<std::size_t>(which)]) += by;
    return double{loss_at(loss, copy.positive, copy.negatives)};
  };
  // Five points: the error of the slope is h^4, far below float's own.
  return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * double{h});
}

// A loss that takes the sum of its negatives' exponentials makes of it what it makes of them all.
TEST(LossOfSum, EqualsTheLossOfEveryNegative) {
  for (const std::string name : {"softmax", "bc", "softmax weighted", "bc weighted", "sl-at-k"}) {
    const World world(name);
    const auto loss = world.loss();
    ASSERT_NE(loss->partition_loss(), nullptr);
    for (const Case& one : cases()) {
      Sample whole;
      std::vector<float> gradient;
      const float value = loss_at(*loss, one.positive, one.negatives, &whole, &gradient);
      double rest = 0;
      std::vector<double> powers;
      for (const float n : one.negatives) {
        powers.push_back(std::exp((double{n} - 1) / double{loss->partition_loss()->tau()}));
        rest += powers.back();
      }
      Sample summed{.user = 1, .item = 2, .positive = one.positive};
      const float partition_loss =
          loss->partition_loss()->compute_from_sum(summed, static_cast<float>(rest));
      const std::string label = name + " " + std::string(one.name);
      EXPECT_NEAR(double{partition_loss}, double{value}, 1e-5 * (1 + std::abs(double{value})))
          << label;
      EXPECT_NEAR(double{summed.d_positive}, double{whole.d_positive},
                  1e-5 * (1 + std::abs(double{whole.d_positive})))
          << label;
      EXPECT_EQ(summed.capped, whole.capped) << label;
      for (std::size_t k = 0; k < powers.size(); ++k) {
        EXPECT_NEAR(double{summed.factor} * powers[k], double{gradient[k]},
                    1e-5 * (1 + std::abs(double{gradient[k]})))
            << label << " negative " << k;
      }
    }
  }
}

class Gradient : public ::testing::TestWithParam<std::string> {};

TEST_P(Gradient, EqualsFiniteDifferences) {
  const World world(GetParam());
  const auto loss = world.loss();
  for (const Case& one : cases()) {
    Sample sample;
    std::vector<float> gradient;
    const float value = loss_at(*loss, one.positive, one.negatives, &sample, &gradient);
    EXPECT_TRUE(std::isfinite(value)) << one.name;
    const double tolerance = 2e-3 * (1 + std::abs(double{sample.d_positive}));
    EXPECT_NEAR(slope(*loss, one, -1), double{sample.d_positive}, tolerance) << one.name;
    for (std::size_t k = 0; k < one.negatives.size(); ++k) {
      if (one.negatives[k] == kMasked) {
        EXPECT_EQ(gradient[k], 0.0F) << one.name << ": a masked negative moved";
        continue;
      }
      EXPECT_NEAR(slope(*loss, one, static_cast<int>(k)), double{gradient[k]}, tolerance)
          << one.name << " negative " << k;
    }
  }
}

TEST_P(Gradient, StaysFiniteAtTheEdges) {
  World world(GetParam());
  if (world.settings.has("tau")) world.settings.set("tau", Value(0.01));
  const auto loss = world.loss();
  for (const float edge : {-1.0F, -0.9999999F, 0.0F, 0.9999999F, 1.0F, 1.0000001F}) {
    for (const float other : {-1.0F, 1.0F}) {
      Sample sample;
      std::vector<float> gradient;
      const float value = loss_at(*loss, edge, std::vector<float>(5, other), &sample, &gradient);
      EXPECT_TRUE(std::isfinite(value)) << edge << " against " << other;
      EXPECT_TRUE(std::isfinite(sample.d_positive)) << edge << " against " << other;
      for (const float g : gradient) EXPECT_TRUE(std::isfinite(g)) << edge << " against " << other;
    }
  }
}

TEST_P(Gradient, AllNegativesMaskedIsDefined) {
  const World world(GetParam());
  const auto loss = world.loss();
  Sample sample;
  std::vector<float> gradient;
  const float value = loss_at(*loss, 0.2F, {kMasked, kMasked}, &sample, &gradient);
  EXPECT_TRUE(std::isfinite(value));
  EXPECT_TRUE(std::isfinite(sample.d_positive));
  for (const float g : gradient) EXPECT_EQ(g, 0.0F);
}

std::vector<std::string> trained_losses() {
  std::vector<std::string> names;
  for (const LossEntry& entry : losses()) {
    if (entry.make == nullptr) continue;
    names.emplace_back(entry.name);
    if (Settings(entry.fields).has("negative-weight")) names.push_back(names.back() + " weighted");
    for (const Field& field : entry.fields) {
      if (field.name != "surrogate") continue;
      for (const std::string_view kind : field.choices) {
        names.push_back(std::string(entry.name) + " " + std::string(kind));
      }
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Losses, Gradient, ::testing::ValuesIn(trained_losses()),
                         [](const auto& info) {
                           std::string label = info.param;
                           std::replace(label.begin(), label.end(), '-', '_');
                           std::replace(label.begin(), label.end(), ' ', '_');
                           return label;
                         });

TEST(LossRegistry, UnknownNameOffersTheNearest) {
  try {
    find_loss("sofmax");
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'softmax'"), std::string::npos)
        << error.what();
  }
}

// w log sum_j e^{n_j/tau} - p/tau, at a temperature of one pass and at one that needs a maximum.
TEST(WeightedSoftmax, IsItsFormula) {
  for (const double tau : {0.1, 0.01}) {
    World world("softmax weighted");
    world.settings.set("tau", Value(tau));
    const auto loss = world.loss();
    EXPECT_EQ(loss->partition_loss() != nullptr, tau > 0.05);
    for (const Case& one : cases()) {
      double sum = 0;
      for (const float n : one.negatives) sum += std::exp(double{n} / tau);
      Sample sample;
      std::vector<float> gradient;
      const float value = loss_at(*loss, one.positive, one.negatives, &sample, &gradient);
      const double expected = 1.3 * std::log(sum) - double{one.positive} / tau;
      EXPECT_NEAR(double{value}, expected, 1e-5 * (1 + std::abs(expected))) << one.name;
      EXPECT_NEAR(double{sample.d_positive}, -1 / tau, 1e-4) << one.name;
      for (std::size_t k = 0; k < gradient.size(); ++k) {
        const double share = 1.3 * std::exp(double{one.negatives[k]} / tau) / sum / tau;
        EXPECT_NEAR(double{gradient[k]}, share, 1e-4 * share + 1e-6) << one.name;
      }
    }
  }
}

// A step may mask every negative of a sample: the sum is 0, and a factor of it must not be
// infinite.
TEST(WeightedSoftmax, WithoutNegativesNothingMoves) {
  const auto loss = World("softmax weighted").loss();
  Sample sample{.user = 1, .item = 2, .positive = 0.4F};
  EXPECT_EQ(loss->partition_loss()->compute_from_sum(sample, 0.0F), 0.0F);
  EXPECT_EQ(sample.d_positive, 0.0F);
  EXPECT_TRUE(std::isfinite(sample.factor) && sample.factor > 0);
}

TEST(BcLoss, CapTakesTheGradientAndSaysSo) {
  World world("bc");
  world.margins = Margins::constant(3.0, 3, 4);
  const auto loss = world.loss();
  Sample sample;
  loss_at(*loss, -0.5F, {0.1F, 0.2F}, &sample);  // theta = 2.09, pi - theta = 1.05 < 3
  EXPECT_TRUE(sample.capped);
  EXPECT_EQ(sample.d_positive, 0.0F);
}

TEST(BcLoss, NoMarginIsSoftmax) {
  World world("bc");
  world.margins = Margins::constant(0.0, 3, 4);
  const auto loss = world.loss();
  const auto softmax = find_loss("softmax").make(world.settings, world.inputs());
  const std::vector<float> negatives{0.3F, -0.1F, 0.7F};
  EXPECT_FLOAT_EQ(loss_at(*loss, 0.4F, negatives), loss_at(*softmax, 0.4F, negatives));
}

}  // namespace
}  // namespace evenkeel::loss
