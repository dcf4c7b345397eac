// Negatives near the positive in popularity: inside the window, never owned, uniform, repeatable.
#include "sampler/similar.h"

#include <gtest/gtest.h>

#include <map>

namespace evenkeel::sampler {
namespace {

// Item 10 k + 9 - j is the (10 k + j)-th in popularity: order of popularity is not that of rows.
std::vector<std::uint32_t> popularity_of_100() {
  std::vector<std::uint32_t> popularity(100);
  for (std::uint32_t rank = 0; rank < 100; ++rank) {
    popularity[rank / 10 * 10 + 9 - rank % 10] = rank + 1;
  }
  return popularity;
}

std::map<Row, int> drawn(const data::Csr& log, Pair positive, double share, int times) {
  SimilarNegatives negatives(log, popularity_of_100(), share, 5);
  negatives.begin_epoch(2);
  auto scratch = negatives.scratch();
  std::map<Row, int> seen;
  for (int position = 0; position < times; ++position) {
    ++seen[negatives.draw(positive, static_cast<std::size_t>(position), scratch)];
  }
  return seen;
}

TEST(SimilarNegatives, UniformInTheWindowAndNeverOwned) {
  const auto popularity = popularity_of_100();
  const data::Csr log = data::make_csr(std::vector<Pair>{{0, 50}, {0, 53}}, 1, Side::kUser);
  const auto seen = drawn(log, {0, 50}, 0.2, 18000);  // rank 59: ranks 49 to 68, two of them owned
  EXPECT_EQ(seen.size(), 18U);
  double chi_square = 0;  // 17 degrees of freedom
  for (const auto& [item, count] : seen) {
    EXPECT_GE(popularity[item], 50U);
    EXPECT_LE(popularity[item], 69U);
    EXPECT_FALSE(log.contains(0, item));
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_square, 40.8);  // p = 0.001
}

TEST(SimilarNegatives, AtTheEndsTheWindowKeepsItsSize) {
  const auto popularity = popularity_of_100();
  const data::Csr log = data::make_csr(std::vector<Pair>{{0, 9}, {0, 90}}, 1, Side::kUser);
  for (const auto& [item, count] : drawn(log, {0, 9}, 0.1, 2000)) EXPECT_LE(popularity[item], 10U);
  const auto top = drawn(log, {0, 90}, 0.1, 2000);
  EXPECT_EQ(top.size(), 9U);
  for (const auto& [item, count] : top) EXPECT_GT(popularity[item], 90U);
}

TEST(SimilarNegatives, AUserWhoHasNearlyOrQuiteAllNearby) {
  std::vector<Pair> pairs;
  for (Row item = 40; item < 60; ++item) {
    if (item != 47) pairs.push_back({0, item});
    pairs.push_back({1, item});
  }
  const data::Csr log = data::make_csr(pairs, 2, Side::kUser);
  const auto some_left = drawn(log, {0, 50}, 0.2, 200);  // ranks 49 to 68
  for (const auto& [item, count] : some_left) EXPECT_FALSE(log.contains(0, item));
  const auto nearly = drawn(log, {0, 49}, 0.1, 200);  // ranks 35 to 44: 34 to 30 and 49 to 45
  EXPECT_EQ(nearly.count(47), 1U);
  const auto none_near = drawn(log, {1, 45}, 0.01, 200);  // itself alone: the whole catalogue
  EXPECT_GT(none_near.size(), 50U);
  for (const auto& [item, count] : none_near) EXPECT_FALSE(log.contains(1, item));
}

TEST(SimilarNegatives, FewLeftAreDrawnByRank) {
  std::vector<Pair> pairs;
  for (Row item = 0; item < 100; ++item) {
    if (item != 13 && item != 77) pairs.push_back({0, item});
  }
  const auto seen = drawn(data::make_csr(pairs, 1, Side::kUser), {0, 5}, 1.0, 4000);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen.at(13), 2000, 150);
  EXPECT_NEAR(seen.at(77), 2000, 150);
}

TEST(SimilarNegatives, AnotherEpochDrawsOthersAndTheSameOneAgain) {
  const data::Csr log = data::make_csr(std::vector<Pair>{{0, 50}}, 1, Side::kUser);
  SimilarNegatives negatives(log, popularity_of_100(), 0.5, 5);
  auto scratch = negatives.scratch();
  const auto ten = [&](std::uint32_t epoch) {
    negatives.begin_epoch(epoch);
    std::vector<Row> rows;
    for (std::size_t k = 0; k < 10; ++k) rows.push_back(negatives.draw({0, 50}, k, scratch));
    return rows;
  };
  const auto first = ten(1);
  EXPECT_NE(first, ten(2));
  EXPECT_EQ(first, ten(1));
}

}  // namespace
}  // namespace evenkeel::sampler
