// In: models of both scores, strengths, masks, queries alone and together. Out: the bits of
// rank::recommend, rank::similar_items and rank_lists.
#include "rank/exact_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "model/model_data.h"
#include "noise.h"
#include "rank/correction.h"
#include "rank/model_lists.h"
#include "rank/recommend.h"

namespace evenkeel::rank {
namespace {

using testing::noise;

model::Model made_up(model::Score score, std::size_t users = 61, std::size_t items = 333,
                     std::size_t dim = 19) {
  model::Model model;
  model.users = noise(users, dim, 1);
  model.items = noise(items, dim, 2);
  model.score = score;
  model.temperature = 0.13;
  for (std::size_t u = 0; u < users; ++u) model.user_ids.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < items; ++i) model.item_ids.insert("i" + std::to_string(i));
  for (std::size_t u = 0; u < users; ++u) {
    for (std::size_t i = u % 7; i < items; i += 11 + u % 5) {
      model.known.columns.push_back(static_cast<Row>(i));
    }
    model.known.offsets.push_back(model.known.columns.size());
    model.user_popularity.push_back(static_cast<std::uint32_t>(model.known.count(u)));
  }
  for (std::size_t i = 0; i < items; ++i) {
    model.item_popularity.push_back(static_cast<std::uint32_t>(i * i % 97));
  }
  return model;
}

class Exact : public ::testing::TestWithParam<model::Score> {};

// A few queries to a large catalogue are sieved first; the bits must not tell.
class ExactOfSize : public ::testing::TestWithParam<std::tuple<model::Score, std::size_t>> {};

TEST_P(ExactOfSize, EqualsRecommendToTheBit) {
  model::Model model = made_up(std::get<0>(GetParam()), 61, std::get<1>(GetParam()));
  Threads threads(2);
  const ModelLists lists(model, threads);
  std::vector<Row> users(model.users.rows());
  for (Row u = 0; u < users.size(); ++u) users[u] = u;
  for (const double debias : {0.0, 0.3, 1.0}) {
    model.debias = debias;
    const auto expected = recommend(model, users, 17, true, threads);
    std::vector<std::vector<Row>> seen;
    std::vector<ListQuery> queries;
    for (const Row u : users) seen.push_back(lists.seen(u));
    for (const Row u : users) queries.push_back({model.users.values(u), 17, debias, seen[u], {}});
    EXPECT_EQ(lists.ranking().rank(queries), expected) << "together, strength " << debias;
    for (const Row u : {Row{0}, Row{7}, Row{60}}) {
      const auto alone = lists.ranking().rank(std::span(&queries[u], 1));
      EXPECT_EQ(alone[0], expected[u]) << "alone, strength " << debias;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ScoresAndSizes, ExactOfSize,
                         ::testing::Combine(::testing::Values(model::Score::kCosine,
                                                              model::Score::kDot),
                                            ::testing::Values(333, 2500)));

TEST_P(Exact, MixedQueriesDoNotDisturbEachOther) {
  const model::Model model = made_up(GetParam());
  Threads threads(1);
  const ModelLists lists(model, threads);
  std::vector<ListQuery> queries;
  std::vector<Row> every_third;
  for (Row i = 0; i < model.items.rows(); i += 3) every_third.push_back(i);
  for (Row u = 0; u < 60; ++u) {
    ListQuery query{model.users.values(u), 1 + u % 9, 0.1 * (u % 4), {}, {}};
    if (u % 5 == 0) query.only = every_third;
    if (u % 13 == 0) query.k = 5000;
    queries.push_back(query);
  }
  const auto together = lists.ranking().rank(queries);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    EXPECT_EQ(lists.ranking().rank(std::span(&queries[q], 1))[0], together[q]) << q;
  }
  EXPECT_EQ(together[13].size(), model.items.rows()) << "k above the catalogue: all of it";
}

TEST_P(Exact, OnlyEqualsRankLists) {
  const model::Model model = made_up(GetParam());
  Threads threads(1);
  const ModelLists lists(model, threads);
  const std::vector<Row> only{3, 4, 9, 77, 200, 332}, masked{4, 200, 201};
  Matrix one(1, model.users.dim());
  std::copy_n(model.users.row(5), one.stride(), one.row(0));
  data::Csr masks;
  masks.columns = masked;
  masks.offsets.push_back(masked.size());
  std::vector<std::int64_t> items(4);
  std::vector<float> scores(4);
  rank_lists({{one, model.items, model.score}, &masks, only, 4}, threads, items, scores);
  const ListQuery query{model.users.values(5), 4, 0, masked, only};
  const List list = lists.ranking().rank(std::span(&query, 1))[0];
  ASSERT_EQ(list.size(), 4U);
  for (std::size_t place = 0; place < 4; ++place) {
    EXPECT_EQ(list[place].item, items[place]);
    EXPECT_EQ(list[place].score, scores[place]);
  }
  const ListQuery nothing{model.users.values(5), 4, 0.5, masked, std::span<const Row>(masked)};
  EXPECT_TRUE(lists.ranking().rank(std::span(&nothing, 1))[0].empty());
}

TEST_P(Exact, LikenessEqualsSimilarItems) {
  const model::Model model = made_up(GetParam());
  Threads threads(2);
  const ModelLists lists(model, threads);
  for (const Row item : {Row{0}, Row{32}, Row{332}}) {
    const ListQuery query{model.items.values(item), 12, 0, std::span(&item, 1), {}};
    EXPECT_EQ(lists.likeness().rank(std::span(&query, 1))[0],
              similar_items(model, item, 12, 0, threads));
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, Exact,
                         ::testing::Values(model::Score::kCosine, model::Score::kDot));

TEST(ExactIndex, ManyStrengthsAreForgottenAndMadeAgain) {
  const model::Model model = made_up(model::Score::kCosine);
  Threads threads(1);
  const ModelLists lists(model, threads);
  const ListQuery query{model.users.values(1), 5, 0.25, {}, {}};
  const auto first = lists.ranking().rank(std::span(&query, 1));
  for (int g = 1; g < 40; ++g) lists.ranking().added(0.01 * g);
  EXPECT_EQ(lists.ranking().rank(std::span(&query, 1)), first);
}

}  // namespace
}  // namespace evenkeel::rank
