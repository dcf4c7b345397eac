// In: differences whose tests scipy 1.17 and statsmodels have worked out. Out: the same p-values.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "eval/significance.h"

namespace evenkeel::eval {
namespace {

SignedRankTest test_of(const std::vector<double>& difference) {
  return signed_rank_test(difference, std::vector<double>(difference.size(), 0.0));
}

// 1 2 -3 4 5 -6 ...: ranks are the numbers themselves.
std::vector<double> every_third_negative(int count) {
  std::vector<double> difference;
  for (int i = 1; i <= count; ++i) difference.push_back(i % 3 == 0 ? -i : i);
  return difference;
}

TEST(SignedRank, ExactForFewPairsWithoutTies) {
  const SignedRankTest plants =
      test_of({6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75});
  EXPECT_TRUE(plants.exact);
  EXPECT_EQ(plants.negative, 24);
  EXPECT_EQ(plants.positive, 96);
  EXPECT_NEAR(plants.p, 0.041259765625, 1e-15);
  const std::vector<double> before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::vector<double> after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  EXPECT_NEAR(signed_rank_test(before, after).p, 0.0390625, 1e-15);
  EXPECT_EQ(signed_rank_test(before, after).p, signed_rank_test(after, before).p);
  const SignedRankTest most = test_of(every_third_negative(25));
  EXPECT_TRUE(most.exact);
  EXPECT_NEAR(most.p, 0.1484795808792114, 1e-14);
  EXPECT_EQ(test_of({2.5}).p, 1);
  EXPECT_EQ(test_of({1, 2}).p, 0.5);
}

// All 2^n signs, one by one.
TEST(SignedRank, ExactIsTheShareOfSignsAtLeastAsFarOut) {
  constexpr int kPairs = 9;
  for (const unsigned signs : {0U, 1U, 37U, 200U, 300U}) {
    std::vector<double> difference;
    double positive = 0, far_out = 0;
    for (int i = 0; i < kPairs; ++i) {
      difference.push_back((signs >> i & 1U) != 0 ? i + 1 : -i - 1);
      positive += std::max(difference.back(), 0.0);
    }
    const double middle = kPairs * (kPairs + 1) / 4.0;
    for (unsigned other = 0; other < 1U << kPairs; ++other) {
      double sum = 0;
      for (int i = 0; i < kPairs; ++i) sum += (other >> i & 1U) != 0 ? i + 1 : 0;
      far_out += std::abs(sum - middle) >= std::abs(positive - middle) ? 1 : 0;
    }
    EXPECT_NEAR(test_of(difference).p, far_out / (1U << kPairs), 1e-15) << signs;
  }
}

TEST(SignedRank, NormalWithTiesAndZerosAsPrattRanksThem) {
  const SignedRankTest drug = test_of({15, -7, 5, 20, 0, -9, 17, -12, 5, -10});
  EXPECT_FALSE(drug.exact);
  EXPECT_EQ(drug.zeros, 1U);
  EXPECT_EQ(std::min(drug.positive, drug.negative), 22);
  EXPECT_NEAR(drug.z, 0.5106429211881652, 1e-14);
  EXPECT_NEAR(drug.p, 0.6096011155205022, 1e-14);

  std::vector<double> users(30, 0.0);
  for (const auto& [value, count] : {std::pair{1.0, 7}, {-1.0, 3}, {2.0, 4}, {-2.0, 1}, {3.0, 2}}) {
    users.insert(users.end(), static_cast<std::size_t>(count), value);
  }
  EXPECT_EQ(test_of(users).negative, 149.5);
  EXPECT_NEAR(test_of(users).p, 0.02444881056234766, 1e-14);

  const SignedRankTest more = test_of(every_third_negative(26));
  EXPECT_FALSE(more.exact) << "one pair more than the exact test takes";
  EXPECT_NEAR(more.p, 0.08646199403769568, 1e-14);
}

TEST(SignedRank, RoundingBreaksNoTie) {
  const double third = 1.0 / 3;
  // As numbers on paper: 1/3, 1/3, 0, -1/3.
  const std::vector<double> a{2 * third, third, 0.1 + 0.2, 0.6}, b{third, 0, 0.3, 0.6 + third};
  const SignedRankTest test = signed_rank_test(a, b);
  EXPECT_EQ(test.zeros, 1U);
  EXPECT_EQ(test.positive, 6);
  EXPECT_EQ(test.negative, 3);
}

TEST(SignedRank, NothingToSay) {
  EXPECT_EQ(test_of({}).p, 1);
  EXPECT_EQ(test_of({0, 0, 0}).p, 1);
  EXPECT_EQ(test_of({0, 0, 0}).zeros, 3U);
  EXPECT_EQ(test_of({5, -5}).p, 1);
}

TEST(Holm, KnownValues) {
  const auto expect = [](const std::vector<double>& p, const std::vector<double>& adjusted) {
    const std::vector<double> got = holm_adjusted(p);
    ASSERT_EQ(got.size(), adjusted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], adjusted[i], 1e-15) << i;
  };
  expect({0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02});
  expect({0.5, 0.6, 0.7}, {1, 1, 1});
  expect({0.0001, 0.02, 0.02, 0.9, 0.011}, {0.0005, 0.06, 0.06, 0.9, 0.044});
  expect({0.04}, {0.04});
  expect({}, {});
}

}  // namespace
}  // namespace evenkeel::eval
