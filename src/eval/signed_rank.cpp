// In: paired figures, or the p-values of several tests. Out: Wilcoxon's signed-rank test, and
// p-values by Holm's correction.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "eval/significance.h"

namespace evenkeel::eval {
namespace {

constexpr std::size_t kExactPairs = 25;
constexpr double kEqual = 1e-12;  // rounding of sums of fractions is far below it

// What two figures may differ by and still be the same number.
double tolerance_of(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (const double value : a) largest = std::max(largest, std::abs(value));
  for (const double value : b) largest = std::max(largest, std::abs(value));
  return kEqual * largest;
}

// P(W <= w) under the null hypothesis: sums of the subsets of 1..n, counted.
double exact_tail(std::size_t n, double w) {
  std::vector<double> ways(n * (n + 1) / 2 + 1);
  ways[0] = 1;
  std::size_t reached = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    reached += rank;
    for (std::size_t sum = reached; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  }
  const auto last = static_cast<std::ptrdiff_t>(w) + 1;
  return std::accumulate(ways.begin(), ways.begin() + last, 0.0) /
         std::ldexp(1.0, static_cast<int>(n));
}

double cubic(double n) {
  return n * (n + 1) * (2 * n + 1);
}

}  // namespace

SignedRankTest signed_rank_test(std::span<const double> a, std::span<const double> b) {
  EVENKEEL_CHECK(a.size() == b.size());
  const double tolerance = tolerance_of(a, b);
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  std::sort(difference.begin(), difference.end(),
            [](double x, double y) { return std::abs(x) < std::abs(y); });

  SignedRankTest test;
  test.pairs = difference.size();
  while (test.zeros < test.pairs && std::abs(difference[test.zeros]) <= tolerance) ++test.zeros;
  if (test.zeros == test.pairs) return test;
  double ties = 0;  // sum of t^3 - t over groups of t equal differences
  for (std::size_t begin = test.zeros, end = begin; begin < test.pairs; begin = end) {
    while (end < test.pairs &&
           std::abs(difference[end]) - std::abs(difference[begin]) <= tolerance) {
      ++end;
    }
    const double rank = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i) {
      (difference[i] > 0 ? test.positive : test.negative) += rank;
    }
    const double count = static_cast<double>(end - begin);
    ties += count * count * count - count;
  }
  if (test.pairs <= kExactPairs && test.zeros == 0 && ties == 0) {
    test.exact = true;
    test.p = std::min(1.0, 2 * exact_tail(test.pairs, std::min(test.positive, test.negative)));
    return test;
  }
  // Mean and variance without the ranks of zeros (Cureton 1967) and with those of ties shared.
  const double n = static_cast<double>(test.pairs), zeros = static_cast<double>(test.zeros);
  const double mean = (n * (n + 1) - zeros * (zeros + 1)) / 4;
  const double variance = (cubic(n) - cubic(zeros) - ties / 2) / 24;
  test.z = (test.positive - mean) / std::sqrt(variance);
  test.p = std::erfc(std::abs(test.z) / std::sqrt(2.0));
  return test;
}

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
  std::vector<double> adjusted(p.size());
  double before = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const double raised = static_cast<double>(order.size() - n) * p[order[n]];
    before = std::max(before, std::min(1.0, raised));
    adjusted[order[n]] = before;
  }
  return adjusted;
}

}  // namespace evenkeel::eval
