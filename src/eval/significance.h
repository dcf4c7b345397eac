// Is the difference between two methods more than luck? In: figures of the same users under both;
// out: a paired t-test, Wilcoxon's signed-rank test and a bootstrap interval of the mean
// difference. Of many p-values at once: Holm's correction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/evaluate.h"

namespace evenkeel::eval {

struct PairedTest {
  std::size_t pairs = 0;
  double mean_difference = 0;  // a - b
  double t = 0;                // infinite when every difference is the same and not zero
  double p = 1;                // two-sided
};
PairedTest paired_t_test(std::span<const double> a, std::span<const double> b);

// Ranks of |a - b|, ties sharing their mean rank. Zeros are ranked and then dropped (Pratt 1959).
// Differences within 1e-12 of the largest figure are equal: 2/3 - 1/3 ties with 1/3.
struct SignedRankTest {
  std::size_t pairs = 0, zeros = 0;
  double positive = 0, negative = 0;  // sums of ranks of a > b and of a < b
  double z = 0;                       // normal approximation; 0 where the test is exact
  double p = 1;                       // two-sided
  bool exact = false;                 // at most 25 pairs, neither ties nor zeros
};
SignedRankTest signed_rank_test(std::span<const double> a, std::span<const double> b);

// p-values of a family of tests, each raised so that the chance of even one false discovery stays
// below the level they are compared with (Holm 1979); in the order given.
std::vector<double> holm_adjusted(std::span<const double> p);

struct Interval {
  double low = 0, high = 0;
};
// Percentile interval of mean(a - b) over resampled users; the same seed gives the same interval.
Interval bootstrap_interval(std::span<const double> a, std::span<const double> b,
                            std::uint64_t seed, std::size_t repeats = 2000, double level = 0.95);

// Two-sided p-value of Student's t, and the regularised incomplete beta function beneath it.
double student_p_value(double t, double degrees_of_freedom);
double incomplete_beta(double a, double b, double x);

// The users that both evaluations hold, as two lists in the same order.
struct PairedFigures {
  std::vector<double> a, b;
};
PairedFigures pair_users(const Evaluation& a, const Evaluation& b, double UserResult::*figure);

}  // namespace evenkeel::eval
