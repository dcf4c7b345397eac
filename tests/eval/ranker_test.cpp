// In: random tables, zero rows, masks. Out: the order a plain double loop gives.
#include "eval/ranker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "noise.h"

namespace evenkeel::eval {
namespace {

using testing::noise;

double true_score(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j,
                  model::Score score) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t c = 0; c < a.dim(); ++c) {
    dot += double{a.row(i)[c]} * b.row(j)[c];
    aa += double{a.row(i)[c]} * a.row(i)[c];
    bb += double{b.row(j)[c]} * b.row(j)[c];
  }
  if (score == model::Score::kDot) return dot;
  return aa > 0 && bb > 0 ? dot / std::sqrt(aa * bb) : 0;
}

class RankerScores : public ::testing::TestWithParam<model::Score> {};

// More users than one block, a dimension that is no multiple of 16, zero rows on both sides.
TEST_P(RankerScores, ListsAreTheBestInOrder) {
  const std::size_t users = 400, items = 150, k = 11;
  Matrix u = noise(users, 19, 1);
  Matrix v = noise(items, 19, 2);
  std::fill_n(u.row(5), 19, 0.0F);
  std::fill_n(v.row(7), 19, 0.0F);
  std::vector<Pair> pairs;
  std::vector<Row> rows;
  for (Row user = 0; user < users; ++user) {
    rows.push_back(static_cast<Row>((user * 7) % users));
    for (Row i = 0; i < 10; ++i) pairs.push_back({user, (user * 3 + i * i) % Row{items}});
  }
  const data::Csr masked = data::make_csr(pairs, users, Side::kUser);
  Threads threads(2);
  Ranker ranker;
  ranker.prepare({u, v, GetParam()}, threads);
  std::vector<std::vector<kernels::Ranked>> lists(users);
  ranker.rank(rows, &masked, k, threads,
              [&](std::size_t index, std::span<const kernels::Ranked> list, int) {
                lists[index].assign(list.begin(), list.end());
              });
  for (std::size_t index = 0; index < users; ++index) {
    const Row user = rows[index];
    std::vector<double> scores;
    for (Row i = 0; i < items; ++i) {
      if (!masked.contains(user, i)) scores.push_back(true_score(u, user, v, i, GetParam()));
    }
    std::sort(scores.rbegin(), scores.rend());
    ASSERT_EQ(lists[index].size(), k);
    for (std::size_t rank = 0; rank < k; ++rank) {
      const kernels::Ranked& entry = lists[index][rank];
      EXPECT_FALSE(masked.contains(user, entry.item));
      EXPECT_NEAR(entry.score, true_score(u, user, v, entry.item, GetParam()), 2e-5);
      EXPECT_NEAR(entry.score, scores[rank], 2e-5) << "user " << user << " rank " << rank;
    }
  }
  for (std::size_t rank = 0; rank < k; ++rank) {  // the zero user: all tie at 0, lowest items first
    const auto& list =
        lists[static_cast<std::size_t>(std::find(rows.begin(), rows.end(), Row{5}) - rows.begin())];
    EXPECT_EQ(list[rank].score, 0.0F);
    if (rank > 0) {
      EXPECT_LT(list[rank - 1].item, list[rank].item);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RankerScores,
                         ::testing::Values(model::Score::kCosine, model::Score::kDot));

TEST(Ranker, KBeyondTheCatalogueListsEverything) {
  const Matrix u = noise(2, 4, 1);
  const Matrix v = noise(9, 4, 2);
  Threads threads(1);
  Ranker ranker;
  ranker.prepare({u, v, model::Score::kCosine}, threads);
  const std::vector<Row> rows{0, 1, 0};
  std::vector<std::vector<kernels::Ranked>> lists(3);
  ranker.rank(rows, nullptr, 1000, threads,
              [&](std::size_t index, std::span<const kernels::Ranked> list, int) {
                lists[index].assign(list.begin(), list.end());
              });
  EXPECT_EQ(lists[0].size(), 9U);
  EXPECT_EQ(lists[0], lists[2]);
  EXPECT_NE(lists[0], lists[1]);
}

TEST(Ranker, TinyRowsCountAsZeroInsteadOfOverflowing) {
  Matrix u(1, 2), v(2, 2);
  u.row(0)[0] = 1;
  v.row(0)[0] = 1e-44F;
  v.row(1)[0] = 1e-3F;
  Threads threads(1);
  Ranker ranker;
  ranker.prepare({u, v, model::Score::kCosine}, threads);
  const std::vector<Row> rows{0};
  std::vector<kernels::Ranked> list;
  ranker.rank(rows, nullptr, 2, threads,
              [&](std::size_t, std::span<const kernels::Ranked> ranked, int) {
                list.assign(ranked.begin(), ranked.end());
              });
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].item, 1U);
  EXPECT_TRUE(std::isfinite(list[1].score));
}

}  // namespace
}  // namespace evenkeel::eval
