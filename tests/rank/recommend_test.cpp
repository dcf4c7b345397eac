// In: a small model. Out: lists without known items, true scores, neighbours without the item
// itself.
#include "rank/recommend.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "model/small_model.h"

namespace evenkeel::rank {
namespace {

using testing::small_model;

TEST(Recommend, FiltersKnownItemsUnlessTold) {
  const model::Model model = small_model();
  Threads threads(2);
  const std::vector<Row> users{2, 0};
  const auto filtered = recommend(model, users, 10, true, threads);
  ASSERT_EQ(filtered.size(), 2U);
  ASSERT_EQ(filtered[0].size(), 2U) << "user 2 knows items 0 and 2";
  EXPECT_EQ(filtered[0][0].item, 1U);
  EXPECT_NEAR(filtered[0][0].score, std::sqrt(0.5), 1e-6);
  EXPECT_EQ(filtered[1].size(), 3U);
  const auto all = recommend(model, users, 10, false, threads);
  EXPECT_EQ(all[0].size(), 4U);
  EXPECT_EQ(all[1][0].item, 0U);
  EXPECT_NEAR(all[1][0].score, 1, 1e-6) << "a true cosine";
}

TEST(Recommend, DotShowsTheDotProduct) {
  model::Model model = small_model();
  model.score = model::Score::kDot;
  Threads threads(1);
  const auto lists = recommend(model, std::vector<Row>{2}, 1, false, threads);
  ASSERT_EQ(lists[0].size(), 1U);
  EXPECT_EQ(lists[0][0], (kernels::Ranked{15, 0}));
}

TEST(Recommend, SimilarLeavesTheItemOut) {
  model::Model model = small_model();
  model.score = model::Score::kDot;
  Threads threads(1);
  const auto list = similar_items(model, 2, 10, 0, threads);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].item, 0U) << "items 0 and 1 tie by cosine: the lower number first";
  EXPECT_EQ(list[1].item, 1U);
  EXPECT_NEAR(list[0].score, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(list[2].score, -1 / std::sqrt(10.0), 1e-6);
  EXPECT_EQ(similar_items(model, 3, 2, 0, threads).size(), 2U);
}

TEST(Recommend, PopularList) {
  const model::Model model = small_model();
  const auto list = PopularItems(model).list(3);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0], (kernels::Ranked{2, 0}));
  EXPECT_EQ(list[1], (kernels::Ranked{1, 2}));
  EXPECT_EQ(list[2], (kernels::Ranked{0, 1}));
}

TEST(Recommend, ZeroItemsAreAnError) {
  Threads threads(1);
  EXPECT_THROW(recommend(small_model(), std::vector<Row>{0}, 0, true, threads), Error);
  EXPECT_THROW(similar_items(small_model(), 0, 0, 0, threads), Error);
}

}  // namespace
}  // namespace evenkeel::rank
