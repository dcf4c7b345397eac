// In: lists by hand and the golden file. Out: every metric as docs/metrics.md defines it.
#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "eval/evaluate.h"
#include "golden/golden_file.h"

namespace evenkeel::eval {
namespace {

TEST(Metrics, WorkedByHand) {
  // Hits at ranks 2 and 4 of 5; 3 relevant.
  const std::vector<Row> ranked{9, 1, 8, 2, 7, 3};
  const std::vector<Row> relevant{1, 2, 3};
  const MetricSet set = metrics_of_list(ranked, relevant, 5);
  EXPECT_DOUBLE_EQ(set.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(set.precision, 2.0 / 5);
  EXPECT_DOUBLE_EQ(set.hr, 1);
  EXPECT_DOUBLE_EQ(set.mrr, 1.0 / 2);
  EXPECT_DOUBLE_EQ(set.map, (1.0 / 2 + 2.0 / 4) / 3);
  const double ideal = 1 + 1 / std::log2(3.0) + 0.5;
  EXPECT_DOUBLE_EQ(set.ndcg, (1 / std::log2(3.0) + 1 / std::log2(5.0)) / ideal);
  EXPECT_EQ(set.users, 1U);
}

TEST(Metrics, IdealAndMapUseTheSmallerOfKAndRelevant) {
  const MetricSet set = metrics_of_list(std::vector<Row>{4, 5}, std::vector<Row>{1, 4, 5, 6}, 2);
  EXPECT_DOUBLE_EQ(set.ndcg, 1);
  EXPECT_DOUBLE_EQ(set.map, 1);
  EXPECT_DOUBLE_EQ(set.recall, 0.5);
}

TEST(Metrics, NoHitAndShortList) {
  const MetricSet none = metrics_of_list({}, std::vector<Row>{1}, 3);
  for (const MetricEntry& metric : metric_table()) EXPECT_EQ(none.*metric.field, 0) << metric.name;
  const MetricSet one = metrics_of_list(std::vector<Row>{1}, std::vector<Row>{1}, 4);
  EXPECT_DOUBLE_EQ(one.precision, 0.25);
  EXPECT_DOUBLE_EQ(one.recall, 1);
}

class GoldenMetrics : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenMetrics, OfTheLists) {
  const nlohmann::json golden = testing::read_golden(GetParam(), "metrics.json");
  ASSERT_EQ(golden["results"].size(), 3U);
  for (const auto& result : golden["results"]) {
    const std::size_t k = result["k"];
    MetricSet sum;
    for (const auto& [user, items] : golden["test"].items()) {
      add(sum, metrics_of_list(result["top"][user].get<std::vector<Row>>(),
                               items.get<std::vector<Row>>(), k));
    }
    const MetricSet got = mean(sum);
    const auto& want = result["metrics"];
    EXPECT_EQ(got.users, result["users"].get<std::size_t>());
    EXPECT_NEAR(got.recall, want["recall"], 1e-12);
    EXPECT_NEAR(got.ndcg, want["ndcg"], 1e-12);
    EXPECT_NEAR(got.hr, want["hit_ratio"], 1e-12);
    EXPECT_NEAR(got.precision, want["precision"], 1e-12);
    EXPECT_NEAR(got.map, want["map"], 1e-12);
    EXPECT_NEAR(got.mrr, want["mrr"], 1e-12);
  }
}

// The golden scores through the whole evaluator: user vectors are unit rows, item vectors columns
// of the score table, so that the dot product is the score itself. What the golden lists leave out
// although it scores higher than their last entry was a training item.
TEST_P(GoldenMetrics, OfTheScoresThroughTheEvaluator) {
  const nlohmann::json golden = testing::read_golden(GetParam(), "metrics.json");
  ASSERT_EQ(golden["results"].size(), 3U);
  const auto scores = golden["scores"].get<std::vector<std::vector<double>>>();
  const std::size_t users = scores.size(), items = scores[0].size();
  Matrix user_rows(users, users), item_rows(items, users);
  for (std::size_t u = 0; u < users; ++u) {
    user_rows.row(u)[u] = 1;
    for (std::size_t i = 0; i < items; ++i) {
      item_rows.row(i)[u] = static_cast<float>(scores[u][i]);
    }
  }
  const auto& longest = golden["results"].back()["top"];
  std::vector<Pair> train, test;
  data::Ids user_ids, item_ids;
  for (std::size_t u = 0; u < users; ++u) user_ids.insert(std::to_string(u));
  for (std::size_t i = 0; i < items; ++i) item_ids.insert(std::to_string(i));
  for (const auto& [user, list] : longest.items()) {
    const auto u = static_cast<Row>(std::stoul(user));
    const auto top = list.get<std::vector<Row>>();
    const bool cut = top.size() == golden["results"].back()["k"].get<std::size_t>();
    for (Row i = 0; i < items; ++i) {
      const bool listed = std::find(top.begin(), top.end(), i) != top.end();
      if (!listed && (!cut || scores[u][i] > scores[u][top.back()])) train.push_back({u, i});
    }
    for (const Row i : golden["test"][user].get<std::vector<Row>>()) test.push_back({u, i});
  }
  const data::Dataset dataset =
      data::make_dataset("golden", user_ids, item_ids, train, {}, {{"test", test}});
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    Evaluator evaluator(dataset, dataset.tests[0]);
    for (const auto& result : golden["results"]) {
      const std::size_t k = result["k"];
      const VectorView view{user_rows, item_rows, model::Score::kDot};
      const Evaluation got = evaluator.evaluate(view, {k, true, false}, threads);
      EXPECT_EQ(got.overall.users, result["users"].get<std::size_t>());
      EXPECT_NEAR(got.overall.recall, result["metrics"]["recall"], 1e-12);
      EXPECT_NEAR(got.overall.ndcg, result["metrics"]["ndcg"], 1e-12);
      EXPECT_NEAR(got.overall.hr, result["metrics"]["hit_ratio"], 1e-12);
      EXPECT_NEAR(got.overall.precision, result["metrics"]["precision"], 1e-12);
      EXPECT_NEAR(got.overall.map, result["metrics"]["map"], 1e-12);
      EXPECT_NEAR(got.overall.mrr, result["metrics"]["mrr"], 1e-12);
      const auto quick = evaluator.quick(view, k, threads);
      EXPECT_EQ(quick.recall, got.overall.recall);
      EXPECT_EQ(quick.ndcg, got.overall.ndcg);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenMetrics,
                         ::testing::ValuesIn(testing::golden_sources("metrics.json")),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace evenkeel::eval
