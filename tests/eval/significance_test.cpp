// In: textbook numbers. Out: the p-values and intervals that tables give.
#include "eval/significance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace evenkeel::eval {
namespace {

TEST(Significance, StudentAgainstClosedForms) {
  // One degree of freedom is the Cauchy distribution, two have an algebraic form.
  EXPECT_NEAR(student_p_value(1, 1), 0.5, 1e-12);
  EXPECT_NEAR(student_p_value(std::sqrt(3.0), 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(student_p_value(2, 2), 1 - 2 / std::sqrt(6.0), 1e-12);
  EXPECT_NEAR(student_p_value(2.228138851964939, 10), 0.05, 1e-9);
  EXPECT_NEAR(student_p_value(-1.959963984540054, 1e7), 0.05, 1e-6);
  EXPECT_EQ(student_p_value(0, 5), 1);
}

TEST(Significance, IncompleteBeta) {
  EXPECT_NEAR(incomplete_beta(1, 1, 0.3), 0.3, 1e-14);
  EXPECT_NEAR(incomplete_beta(2, 3, 0.4), 0.5248, 1e-12);
  EXPECT_NEAR(incomplete_beta(0.5, 0.5, 0.5), 0.5, 1e-12);
  EXPECT_EQ(incomplete_beta(2, 2, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 2, 1), 1);
}

TEST(Significance, PairedTest) {
  // Differences 1 2 3 4: mean 2.5, sd 1.29099, t = 3.872983; by the closed form for 3 degrees of
  // freedom p = 0.030466.
  const std::vector<double> a{2, 4, 6, 8}, b{1, 2, 3, 4};
  const PairedTest test = paired_t_test(a, b);
  EXPECT_EQ(test.pairs, 4U);
  EXPECT_DOUBLE_EQ(test.mean_difference, 2.5);
  EXPECT_NEAR(test.t, std::sqrt(15.0), 1e-12);
  const double x = test.t / std::sqrt(3.0);
  const double closed = 1 - 2 / std::acos(-1.0) * (x / (1 + x * x) + std::atan(x));
  EXPECT_NEAR(test.p, closed, 1e-12);
  EXPECT_NEAR(paired_t_test(b, a).p, test.p, 1e-15);
  EXPECT_EQ(paired_t_test(a, a).p, 1);
  EXPECT_EQ(paired_t_test(a, std::vector<double>{1, 3, 5, 7}).p, 0) << "always 1 better";
  EXPECT_EQ(paired_t_test({}, {}).p, 1);
}

TEST(Significance, BootstrapCoversTheMeanAndRepeats) {
  std::vector<double> a, b;
  const Random random(1, Purpose::kMarket);
  for (std::uint32_t i = 0; i < 400; ++i) {
    a.push_back(0.5 + random.normals(i, 0)[0]);
    b.push_back(0);
  }
  const PairedTest test = paired_t_test(a, b);
  const Interval interval = bootstrap_interval(a, b, 7, 1000);
  const double error = test.mean_difference / test.t;
  EXPECT_NEAR(interval.low, test.mean_difference - 1.96 * error, 0.25 * error);
  EXPECT_NEAR(interval.high, test.mean_difference + 1.96 * error, 0.25 * error);
  const Interval again = bootstrap_interval(a, b, 7, 1000);
  EXPECT_EQ(interval.low, again.low);
  EXPECT_NE(interval.low, bootstrap_interval(a, b, 8, 1000).low);
  EXPECT_EQ(bootstrap_interval({}, {}, 1).high, 0);
}

TEST(Significance, PairsOnlyUsersOfBoth) {
  Evaluation a, b;
  a.per_user = {{1, 0.1, 0}, {3, 0.3, 0}, {4, 0.4, 0}};
  b.per_user = {{0, 9, 0}, {3, 0.5, 0}, {4, 0.6, 0}, {7, 9, 0}};
  const PairedFigures pairs = pair_users(a, b, &UserResult::recall);
  EXPECT_EQ(pairs.a, (std::vector<double>{0.3, 0.4}));
  EXPECT_EQ(pairs.b, (std::vector<double>{0.5, 0.6}));
}

}  // namespace
}  // namespace evenkeel::eval
