// In: random, tied and odd-sized tables. Out: the lists of a plain double loop, entry by entry.
#include "kernels/topk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/rng.h"

namespace evenkeel::kernels {
namespace {

struct Case {
  std::size_t users, items, dim, k;
};

// Small whole numbers: every sum is exact in float, so scores must agree to the bit, and most tie.
Matrix whole_numbers(std::size_t rows, std::size_t dim, std::uint32_t spread, std::uint64_t seed) {
  Matrix table(rows, dim);
  const Random random(seed, Purpose::kMarket);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < dim; ++c) {
      const std::uint32_t word =
          random.word(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c));
      table.row(r)[c] =
          static_cast<float>(bounded(word, 2 * spread + 1)) - static_cast<float>(spread);
    }
  }
  return table;
}

std::vector<std::vector<Row>> random_masks(std::size_t users, std::size_t items) {
  std::vector<std::vector<Row>> masks(users);
  const Random random(3, Purpose::kSplit);
  for (std::size_t u = 0; u < users; ++u) {
    std::set<Row> mask;
    Draws draws(random, static_cast<std::uint32_t>(u));
    const std::uint32_t count = draws.below(static_cast<std::uint32_t>(items) + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      mask.insert(draws.below(static_cast<std::uint32_t>(items)));
    }
    masks[u].assign(mask.begin(), mask.end());
  }
  return masks;
}

std::vector<Ranked> naive(const Matrix& users, std::size_t user, const Matrix& items,
                          const std::vector<Row>& mask, std::size_t k) {
  std::vector<Ranked> list;
  for (std::size_t i = 0; i < items.rows(); ++i) {
    if (std::binary_search(mask.begin(), mask.end(), static_cast<Row>(i))) continue;
    float score = 0;
    for (std::size_t c = 0; c < items.dim(); ++c) score += users.row(user)[c] * items.row(i)[c];
    list.push_back({score, static_cast<Row>(i)});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  list.resize(std::min(k, list.size()));
  return list;
}

class TopK : public ::testing::TestWithParam<Case> {};

TEST_P(TopK, EqualsTheDoubleLoop) {
  const Case c = GetParam();
  Threads threads(2);
  const Matrix users = whole_numbers(c.users, c.dim, 2, 1);
  const Matrix items = whole_numbers(c.items, c.dim, 2, 2);
  const auto masks = random_masks(c.users, c.items);
  ItemPanels panels;
  panels.pack(items, {}, threads);
  std::vector<Row> rows;
  std::vector<std::span<const Row>> spans;
  for (std::size_t u = 0; u < c.users; ++u) {
    rows.push_back(static_cast<Row>(c.users - 1 - u));
    spans.emplace_back(masks[rows.back()]);
  }
  RankBlock block;
  block.vectors = &users;
  block.rows = rows;
  block.masked = spans;
  block.k = c.k;
  TopKScratch scratch;
  std::vector<Ranked> lists(c.users * c.k);
  std::vector<std::uint32_t> counts(c.users);
  rank_block(panels, block, scratch, lists, counts);
  for (std::size_t u = 0; u < c.users; ++u) {
    const auto expected = naive(users, rows[u], items, masks[rows[u]], c.k);
    const std::vector<Ranked> got(lists.begin() + static_cast<std::ptrdiff_t>(u * c.k),
                                  lists.begin() + static_cast<std::ptrdiff_t>(u * c.k + counts[u]));
    EXPECT_EQ(got, expected) << "user " << rows[u];
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TopK,
                         ::testing::Values(Case{1, 1, 1, 1}, Case{7, 100, 3, 10},
                                           Case{6, 32, 16, 32}, Case{13, 33, 17, 50},
                                           Case{20, 1000, 64, 20}, Case{5, 31, 8, 1},
                                           Case{64, 257, 5, 300}, Case{3, 64, 200, 7}));

TEST(TopKEdges, ScaleMultipliesBothSides) {
  Threads threads(1);
  const Matrix users = whole_numbers(2, 4, 3, 1);
  const Matrix items = whole_numbers(9, 4, 3, 2);
  const std::vector<float> item_scale{1, 2, 0.5F, 4, 1, 0, 1, 2, 1};
  const std::vector<float> user_scale{2, 0.25F};
  ItemPanels panels;
  panels.pack(items, item_scale, threads);
  const std::vector<Row> rows{1};
  RankBlock block;
  block.vectors = &users;
  block.rows = rows;
  block.scale = user_scale;
  block.k = 9;
  TopKScratch scratch;
  std::vector<Ranked> lists(9);
  std::vector<std::uint32_t> counts(1);
  rank_block(panels, block, scratch, lists, counts);
  ASSERT_EQ(counts[0], 9U);
  for (const Ranked& entry : lists) {
    float dot = 0;
    for (std::size_t c = 0; c < 4; ++c) dot += users.row(1)[c] * items.row(entry.item)[c];
    EXPECT_FLOAT_EQ(entry.score, dot * 0.25F * item_scale[entry.item]);
  }
}

TEST(TopKEdges, WhatIsNoNumberIsNeverListed) {
  Threads threads(1);
  Matrix users(1, 1);
  users.row(0)[0] = 1;
  Matrix items(5, 1);
  items.row(0)[0] = std::nanf("");
  items.row(1)[0] = -std::numeric_limits<float>::infinity();
  items.row(2)[0] = -3;
  items.row(3)[0] = std::numeric_limits<float>::infinity();
  items.row(4)[0] = 0;
  ItemPanels panels;
  panels.pack(items, {}, threads);
  const std::vector<Row> rows{0};
  RankBlock block;
  block.vectors = &users;
  block.rows = rows;
  block.k = 5;
  TopKScratch scratch;
  std::vector<Ranked> lists(5);
  std::vector<std::uint32_t> counts(1);
  rank_block(panels, block, scratch, lists, counts);
  ASSERT_EQ(counts[0], 3U);
  EXPECT_EQ(lists[0].item, 3U);
  EXPECT_EQ(lists[1].item, 4U);
  EXPECT_EQ(lists[2].item, 2U);
}

TEST(TopKEdges, PanelsShrinkAndGrow) {
  Threads threads(1);
  ItemPanels panels;
  for (const std::size_t count : {100U, 10U, 200U}) {
    const Matrix items = whole_numbers(count, 6, 2, count);
    const Matrix users = whole_numbers(1, 6, 2, 9);
    panels.pack(items, {}, threads);
    const std::vector<Row> rows{0};
    RankBlock block;
    block.vectors = &users;
    block.rows = rows;
    block.k = 250;
    TopKScratch scratch;
    std::vector<Ranked> lists(250);
    std::vector<std::uint32_t> counts(1);
    rank_block(panels, block, scratch, lists, counts);
    lists.resize(counts[0]);
    EXPECT_EQ(lists, naive(users, 0, items, {}, 250));
  }
}

}  // namespace
}  // namespace evenkeel::kernels
