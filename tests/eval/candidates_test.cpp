// In: random vectors and a test whose own items are its candidates. Out: the lists and figures of a
// plain double loop; everything else as before.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/rng.h"
#include "eval/evaluate.h"
#include "eval/numbered.h"
#include "eval/test_parts.h"
#include "model/model_data.h"

namespace evenkeel::eval {
namespace {

using testing::numbered;

constexpr std::size_t kUsers = 260, kItems = 150, kDim = 6, kTop = 10;

// Items are drawn from all of them for train and validation, and below 90 for the block.
struct Block {
  Block() {
    std::vector<Pair> train, valid, test, other;
    const Random random(5, Purpose::kMarket);
    for (std::uint32_t u = 0; u < kUsers; ++u) {
      Draws draws(random, u);
      for (int i = 0; i < 9; ++i) train.push_back({u, draws.below(kItems)});
      for (int i = 0; i < 2; ++i) valid.push_back({u, draws.below(kItems)});
      if (u % 3 == 0) continue;
      for (int i = 0; i < 4; ++i) test.push_back({u, 3 * draws.below(30)});
      other.push_back({u, draws.below(kItems)});
    }
    data = data::make_dataset("block", numbered(kUsers), numbered(kItems), train, valid,
                              {{"test_a", test}, {"test_b", other}});
    users = Matrix(kUsers, kDim);
    items = Matrix(kItems, kDim);
    for (Matrix* table : {&users, &items}) {
      const Random normal(table == &users ? 1 : 2, Purpose::kUserTable);
      for (std::uint32_t r = 0; r < table->rows(); ++r) {
        for (std::uint32_t c = 0; c < kDim; ++c) {
          table->row(r)[c] = static_cast<float>(normal.normals(r, c)[0]);
        }
      }
    }
  }
  VectorView view() const { return {users, items, model::Score::kDot}; }
  data::Part& block() { return data.tests[0]; }
  data::Dataset data;
  Matrix users, items;
};

std::vector<Row> plain_list(const Block& b, Row user, const std::set<Row>& candidates) {
  std::vector<std::pair<double, Row>> scores;
  for (const Row item : candidates) {
    const auto known = [&](const data::Csr& csr) { return csr.contains(user, item); };
    const bool masked =
        known(b.data.items_of) || known(b.data.valid.items_of) || known(b.data.tests[1].items_of);
    if (masked && !known(b.data.tests[0].items_of)) continue;
    double score = 0;
    for (std::size_t c = 0; c < kDim; ++c) {
      score += double{b.users.row(user)[c]} * double{b.items.row(item)[c]};
    }
    scores.emplace_back(-score, item);
  }
  std::sort(scores.begin(), scores.end());
  std::vector<Row> list;
  for (std::size_t i = 0; i < std::min(kTop, scores.size()); ++i) list.push_back(scores[i].second);
  return list;
}

TEST(Candidates, OfTheTestAloneAreAPlainDoubleLoop) {
  Block b;
  b.block().own_candidates = true;
  const auto& columns = b.block().items_of.columns;
  const std::set<Row> candidates(columns.begin(), columns.end());
  ASSERT_LT(candidates.size(), kItems);
  double recall = 0, ndcg = 0, users = 0;
  std::vector<std::uint64_t> exposure(kItems);
  for (Row user = 0; user < kUsers; ++user) {
    const auto wanted = b.block().items_of.row(user);
    if (wanted.empty()) continue;
    ++users;
    double hits = 0, gain = 0, ideal = 0;
    const std::vector<Row> list = plain_list(b, user, candidates);
    for (std::size_t place = 0; place < list.size(); ++place) {
      ++exposure[list[place]];
      if (!std::binary_search(wanted.begin(), wanted.end(), list[place])) continue;
      ++hits;
      gain += 1 / std::log2(static_cast<double>(place) + 2);
    }
    for (std::size_t place = 0; place < std::min(kTop, wanted.size()); ++place) {
      ideal += 1 / std::log2(static_cast<double>(place) + 2);
    }
    recall += hits / static_cast<double>(wanted.size());
    ndcg += gain / ideal;
  }
  std::vector<std::uint64_t> of_candidates;
  std::size_t seen = 0;
  for (const Row item : candidates) {
    of_candidates.push_back(exposure[item]);
    seen += exposure[item] > 0 ? 1 : 0;
  }
  for (const int count : {1, 3}) {
    Threads threads(count);
    const Evaluation e = evaluate_part(b.view(), b.data, b.block(), {kTop, true, false}, threads);
    EXPECT_DOUBLE_EQ(e.overall.recall, recall / users);
    EXPECT_NEAR(e.overall.ndcg, ndcg / users, 1e-12);
    EXPECT_EQ(e.candidates, candidates.size());
    EXPECT_DOUBLE_EQ(e.coverage,
                     static_cast<double>(seen) / static_cast<double>(candidates.size()));
    EXPECT_DOUBLE_EQ(e.gini, gini_of(of_candidates)) << "of the candidates alone";
    Evaluator evaluator(b.data, b.block());
    EXPECT_EQ(evaluator.quick(b.view(), kTop, threads).recall, e.overall.recall);
  }
}

// The rates that PopRSP compares divide by what could have been listed.
TEST(Candidates, PopRspCountsOnlyThem) {
  Block b;
  b.block().own_candidates = true;
  Threads threads(1);
  const Evaluation e = evaluate_part(b.view(), b.data, b.block(), {kItems, true, false}, threads);
  EXPECT_NEAR(e.pop_rsp, 0, 1e-12) << "lists of everything list every candidate of every group";
}

TEST(Candidates, OtherPartsRankEverything) {
  Block b;
  Threads threads(1);
  const auto figures = [&](const data::Part& part) {
    return evaluate_part(b.view(), b.data, part, {kTop, true, false}, threads);
  };
  const Evaluation valid = figures(b.data.valid), test_b = figures(b.data.tests[1]);
  const Evaluation all = figures(b.block());
  b.block().own_candidates = true;
  EXPECT_EQ(figures(b.data.valid).overall.recall, valid.overall.recall);
  EXPECT_EQ(figures(b.data.tests[1]).overall.recall, test_b.overall.recall);
  EXPECT_GT(figures(b.block()).overall.recall, all.overall.recall);
  EXPECT_EQ(all.candidates, 0U) << "nothing is said where every item is a candidate";
}

TEST(Candidates, AModelRemembersThem) {
  Block b;
  b.block().own_candidates = true;
  model::Model model;
  model.users = b.users;
  model.items = b.items;
  model.score = model::Score::kDot;
  model.user_ids = b.data.users;
  model.item_ids = b.data.items;
  model.known = b.data.items_of;
  model.held = {b.data.valid, b.data.tests[0], b.data.tests[1]};
  model.user_popularity = b.data.user_popularity;
  model.item_popularity = b.data.item_popularity;
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / "candidates.safetensors").string();
  model::save_model(model, path);
  const TestParts parts = own_parts(model::load_model(path));
  EXPECT_FALSE(parts.data.valid.own_candidates);
  ASSERT_EQ(parts.data.tests.size(), 2U);
  EXPECT_TRUE(parts.data.tests[0].own_candidates);
  EXPECT_FALSE(parts.data.tests[1].own_candidates);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace evenkeel::eval
