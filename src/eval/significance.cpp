// In: paired figures. Out: how likely such a difference is by chance, and how large it may be.
#include "eval/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::eval {
namespace {

// Continued fraction of the incomplete beta function by Lentz's method; quick for
// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kPrecision = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kPrecision) break;
  }
  return fraction;
}

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  EVENKEEL_CHECK(a.size() == b.size());
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_p_value(double t, double degrees_of_freedom) {
  if (std::isnan(t)) return 1;
  if (std::isinf(t)) return 0;
  return incomplete_beta(degrees_of_freedom / 2, 0.5,
                         degrees_of_freedom / (degrees_of_freedom + t * t));
}

PairedTest paired_t_test(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> difference = differences(a, b);
  PairedTest test;
  test.pairs = difference.size();
  test.mean_difference = mean_of(difference);
  if (test.pairs < 2 || test.mean_difference == 0) return test;
  double squares = 0;
  for (const double value : difference) {
    squares += (value - test.mean_difference) * (value - test.mean_difference);
  }
  const double n = static_cast<double>(test.pairs);
  const double error = std::sqrt(squares / (n - 1) / n);
  test.t = error > 0 ? test.mean_difference / error
                     : std::copysign(std::numeric_limits<double>::infinity(), test.mean_difference);
  test.p = student_p_value(test.t, n - 1);
  return test;
}

Interval bootstrap_interval(std::span<const double> a, std::span<const double> b,
                            std::uint64_t seed, std::size_t repeats, double level) {
  EVENKEEL_CHECK(repeats > 0 && level > 0 && level < 1);
  const std::vector<double> difference = differences(a, b);
  if (difference.empty()) return {};
  const auto count = static_cast<std::uint32_t>(difference.size());
  const Random random(seed, Purpose::kBootstrap);
  std::vector<double> means(repeats);
  for (std::size_t r = 0; r < repeats; ++r) {
    Draws draws(random, static_cast<std::uint32_t>(r));
    double sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += difference[draws.below(count)];
    means[r] = sum / count;
  }
  std::sort(means.begin(), means.end());
  const auto quantile = [&](double share) {  // linear between the two nearest
    const double place = share * static_cast<double>(repeats - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, repeats - 1);
    const double part = place - static_cast<double>(below);
    return means[below] + part * (means[above] - means[below]);
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

PairedFigures pair_users(const Evaluation& a, const Evaluation& b, double UserResult::*figure) {
  PairedFigures pairs;
  auto left = a.per_user.begin();
  auto right = b.per_user.begin();
  while (left != a.per_user.end() && right != b.per_user.end()) {
    if (left->user < right->user) {
      ++left;
    } else if (right->user < left->user) {
      ++right;
    } else {
      pairs.a.push_back((*left++).*figure);
      pairs.b.push_back((*right++).*figure);
    }
  }
  return pairs;
}

}  // namespace evenkeel::eval
