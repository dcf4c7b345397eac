// In: keys and positions. Out: the published Philox words, pure and well spread numbers.
#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace evenkeel {
namespace {

// A change of the counter's layout would change every trained model without a word: pinned.
TEST(Random, KeepsItsCounterLayout) {
  const r123::Philox4x32::ctr_type counter{{7, 8, 3, static_cast<std::uint32_t>(Purpose::kSplit)}};
  const r123::Philox4x32::key_type key{{0x55667788U, 0x11223344U}};
  const auto expected = r123::Philox4x32()(counter, key);
  const auto words = Random(0x1122334455667788ULL, Purpose::kSplit, 3).words(7, 8);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i], expected[i]);
}

// The test vectors that Random123 publishes (kat_vectors, philox4x32 10).
TEST(Random, PhiloxGivesItsPublishedVectors) {
  using Philox = r123::Philox4x32;
  const auto zeros = Philox()(Philox::ctr_type{{0, 0, 0, 0}}, Philox::key_type{{0, 0}});
  EXPECT_EQ(zeros, (Philox::ctr_type{{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}}));
  const std::uint32_t f = 0xffffffffU;
  const auto ones = Philox()(Philox::ctr_type{{f, f, f, f}}, Philox::key_type{{f, f}});
  EXPECT_EQ(ones, (Philox::ctr_type{{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}}));
}

TEST(Random, IsAPureFunctionOfKeyAndPosition) {
  const Random a(42, Purpose::kNegatives, 1), b(42, Purpose::kNegatives, 1);
  const auto later = a.words(5, 9);
  static_cast<void>(a.words(1, 1));
  EXPECT_EQ(a.words(5, 9), later);
  EXPECT_EQ(b.words(5, 9), later);
  EXPECT_NE(a.words(5, 8), later);
  EXPECT_NE(a.words(6, 9), later);
  EXPECT_NE(Random(43, Purpose::kNegatives, 1).words(5, 9), later);
  EXPECT_NE(Random(42 + (1ULL << 32), Purpose::kNegatives, 1).words(5, 9), later);
  EXPECT_NE(Random(42, Purpose::kPositives, 1).words(5, 9), later);
  EXPECT_NE(Random(42, Purpose::kNegatives, 2).words(5, 9), later);
}

TEST(Random, NumbersLieInRangeAndHaveTheRightMoments) {
  const Random random(1, Purpose::kMarket);
  constexpr std::uint32_t kCount = 20000;
  double sum = 0, normal_sum = 0, normal_squares = 0;
  std::vector<int> bins(10, 0);
  Draws draws(random, 77);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double u = random.uniform(3, i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    for (const double n : random.normals(4, i)) {
      ASSERT_TRUE(std::isfinite(n));
      normal_sum += n;
      normal_squares += n * n;
    }
    ++bins[draws.below(10)];
  }
  EXPECT_NEAR(sum / kCount, 0.5, 0.01);
  EXPECT_NEAR(normal_sum / (2.0 * kCount), 0.0, 0.03);
  EXPECT_NEAR(normal_squares / (2.0 * kCount), 1.0, 0.04);
  for (const int n : bins) EXPECT_NEAR(n, kCount / 10.0, 200);
}

TEST(Bounded, MapsTheEndsOfTheRange) {
  EXPECT_EQ(bounded(0, 7), 0U);
  EXPECT_EQ(bounded(0xffffffffU, 7), 6U);
  EXPECT_EQ(bounded(0x80000000U, 2), 1U);
  EXPECT_EQ(bounded(0xffffffffU, 1), 0U);
}

}  // namespace
}  // namespace evenkeel
