// The shape of the margin: `capped` is cos(theta + M) up to pi and -1 beyond; `monotone` leaves the
// cosine at pi/2 along its tangent, is continuous with its slope, strictly decreasing and never
// without gradient.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "loss/formulas.h"

namespace evenkeel::loss::formulas {
namespace {

constexpr double kPi = std::numbers::pi;

WithMargin<double> at(double theta, double margin, Shape shape) {
  return with_margin(std::cos(theta), margin, std::cos(margin), std::sin(margin), shape);
}

TEST(MarginShape, CappedIsTheCosineUpToPiAndMonotoneUpToHalfPi) {
  for (double margin = 0.05; margin < 3.1; margin += 0.15) {
    for (double theta = 0.01; theta + margin < kPi - 1e-6; theta += 0.05) {
      const auto capped = at(theta, margin, Shape::kCapped);
      EXPECT_NEAR(capped.cosine, std::cos(theta + margin), 1e-9);
      EXPECT_FALSE(capped.past_pi);
      const auto monotone = at(theta, margin, Shape::kMonotone);
      const double phi = theta + margin;
      EXPECT_NEAR(monotone.cosine, phi < kPi / 2 ? std::cos(phi) : kPi / 2 - phi, 1e-9);
      EXPECT_FALSE(monotone.past_pi);
    }
  }
}

TEST(MarginShape, MonotoneIsContinuousAndStrictlyDecreasing) {
  constexpr double kStep = 1e-3;
  for (double margin = 0.05; margin < 4.5; margin += 0.15) {
    double before = at(0.01, margin, Shape::kMonotone).cosine;
    for (double theta = 0.01 + kStep; theta < kPi - 0.01; theta += kStep) {
      const double now = at(theta, margin, Shape::kMonotone).cosine;
      EXPECT_LT(now, before) << "theta " << theta << " margin " << margin;
      EXPECT_LT(before - now, 1.1 * kStep) << "a jump at theta " << theta << " margin " << margin;
      before = now;
    }
  }
}

TEST(MarginShape, MonotoneKeepsAGradientWhereCappedHasNone) {
  for (double margin = 0.2; margin < 3.2; margin += 0.3) {
    for (double theta = kPi - margin + 0.01; theta < kPi - 0.01; theta += 0.05) {
      if (theta < 0.01) continue;
      EXPECT_EQ(at(theta, margin, Shape::kCapped).derivative, 0.0);
      EXPECT_EQ(at(theta, margin, Shape::kCapped).cosine, -1.0);
      const auto monotone = at(theta, margin, Shape::kMonotone);
      EXPECT_TRUE(monotone.past_pi);
      // Against theta the slope is derivative * sin(theta): constant, 1.
      EXPECT_NEAR(monotone.derivative * std::sin(theta), 1.0, 1e-6);
    }
  }
}

TEST(MarginShape, MonotoneHasNoKink) {
  const double margin = 0.8, at_half_pi = kPi / 2 - margin;
  const auto slope = [&](double theta) {
    return at(theta, margin, Shape::kMonotone).derivative * std::sin(theta);
  };
  EXPECT_NEAR(slope(at_half_pi - 1e-5), slope(at_half_pi + 1e-5), 1e-4);
}

TEST(MarginShape, DerivativeEqualsFiniteDifferences) {
  for (const Shape shape : {Shape::kCapped, Shape::kMonotone}) {
    for (double margin = 0.1; margin < 3.5; margin += 0.37) {
      for (double c = -0.95; c < 0.96; c += 0.07) {
        const double h = 1e-6;
        const auto f = [&](double x) {
          return with_margin(x, margin, std::cos(margin), std::sin(margin), shape).cosine;
        };
        if (std::abs(std::acos(c) + margin - kPi) < 1e-3) continue;  // the cap's kink
        const double derivative =
            with_margin(c, margin, std::cos(margin), std::sin(margin), shape).derivative;
        EXPECT_NEAR((f(c + h) - f(c - h)) / (2 * h), derivative, 1e-4 * (1 + std::abs(derivative)));
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::loss::formulas
