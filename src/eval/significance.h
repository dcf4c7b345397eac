// Is the difference between two methods more than luck? In: figures of the same users under both;
// out: a paired t-test and a bootstrap interval of the mean difference.
#pragma once

#include <cstdint>
#include <span>

#include "eval/evaluate.h"

namespace evenkeel::eval {

struct PairedTest {
  std::size_t pairs = 0;
  double mean_difference = 0;  // a - b
  double t = 0;                // infinite when every difference is the same and not zero
  double p = 1;                // two-sided
};
PairedTest paired_t_test(std::span<const double> a, std::span<const double> b);

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
