// In: lists worked by hand (values of scipy 1.17) and a random market counted the long way. Out:
// the popularity metrics as docs/metrics.md writes them down, the same at any thread count.
#include "eval/popularity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "data/groups.h"
#include "eval/evaluate.h"
#include "eval/market.h"
#include "eval/numbered.h"

namespace evenkeel::eval {
namespace {

using testing::Market;
using testing::numbered;

TEST(Popularity, RelativeDeviation) {
  EXPECT_NEAR(relative_deviation({2, 2, 1}, {2, 2, 2}), 0.282842712474619, 1e-15);
  EXPECT_NEAR(relative_deviation({1, 1, 1}, {1, 2, 4}), 0.5345224838248487, 1e-15);
  EXPECT_EQ(relative_deviation({3, 6, 9}, {4, 8, 12}), 0) << "all alike";
  EXPECT_EQ(relative_deviation({0, 0, 0}, {4, 8, 12}), 0) << "alike: nothing";
  EXPECT_EQ(relative_deviation({1, 0, 3}, {2, 0, 6}), 0) << "a group without a base has no rate";
  EXPECT_DOUBLE_EQ(relative_deviation({5, 0, 0}, {9, 9, 9}), std::sqrt(2.0)) << "the most of three";
  EXPECT_EQ(relative_deviation({0, 0, 0}, {0, 0, 0}), 0);
}

TEST(Popularity, JensenShannon) {
  EXPECT_NEAR(jensen_shannon_distance({0.2, 0.3, 0.5}, {0.6, 0.3, 0.1}), 0.4248317593140143, 1e-15);
  EXPECT_NEAR(jensen_shannon_distance({2.0 / 3, 1.0 / 3, 0}, {0, 0.5, 0.5}), 0.7716458075506889,
              1e-15);
  EXPECT_EQ(jensen_shannon_distance({0.5, 0.5, 0}, {0, 0, 1}), 1) << "nothing in common";
  EXPECT_EQ(jensen_shannon_distance({0.1, 0.2, 0.7}, {0.1, 0.2, 0.7}), 0);
  const PopularityShares p{0.25, 0.75, 0}, q{0.5, 0, 0.5};
  EXPECT_EQ(jensen_shannon_divergence(p, q), jensen_shannon_divergence(q, p));
}

TEST(Popularity, SelfInformation) {
  EXPECT_EQ(self_information(7, 7), 0) << "everybody has it";
  EXPECT_EQ(self_information(0, 7), 3) << "nobody: finite";
  EXPECT_EQ(self_information(1, 7), 2);
}

TEST(Popularity, CountsAndShares) {
  const std::vector<std::uint8_t> group{0, 1, 2, 2};
  EXPECT_EQ(count_groups(std::vector<Row>{3, 0, 2}, group), (GroupCounts{1, 0, 2}));
  EXPECT_EQ(shares_of({1, 0, 3}), (PopularityShares{0.25, 0, 0.75}));
  EXPECT_EQ(shares_of({0, 0, 0}), (PopularityShares{0, 0, 0}));
}

// The market of evaluate_test.cpp: training counts 3 3 2 1 0 0, head {0, 1}, mid {2, 3}, tail
// {4, 5}. Lists of 2: user 0 [4], user 1 [3, 5], user 2 [1, 3].
TEST(Popularity, ByHand) {
  const data::Dataset data = data::make_dataset(
      "hand", numbered(4), numbered(6),
      {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}, {{1, 4}},
      {{"test_a", {{0, 4}, {1, 3}, {2, 1}, {2, 5}}}, {"test_b", {{0, 5}, {2, 2}}}});
  Matrix users(4, 1), items(6, 1);
  for (std::size_t u = 0; u < 4; ++u) users.row(u)[0] = 1;
  for (std::size_t i = 0; i < 6; ++i) items.row(i)[0] = static_cast<float>(6 - i);
  Threads threads(1);
  const VectorView view{users, items, model::Score::kDot};
  const Evaluation e = evaluate_part(view, data, data.tests[0], {2, false, false}, threads);
  EXPECT_DOUBLE_EQ(e.aclt, 2.0 / 3);
  // Relevant 1 1 2, of them listed 1 1 1. Candidates 1 2 4, of them listed 1 2 2.
  EXPECT_NEAR(e.pop_reo, 0.282842712474619, 1e-15);
  EXPECT_NEAR(e.pop_rsp, 0.282842712474619, 1e-15);
  // Three of the four users trained. Items 4 3 5 1 3: 2 + 1 + 2 + 0 + 1 bits.
  EXPECT_DOUBLE_EQ(e.novelty, 6.0 / 5);
  // Histories (1/2 1/2 0) (2/3 1/3 0) (1 0 0) against (0 0 1) (0 1/2 1/2) (1/2 1/2 0).
  EXPECT_NEAR(e.miscalibration, 0.7765229509449442, 1e-15);

  const Evaluation one = evaluate_part(view, data, data.tests[0], {1, false, false}, threads);
  EXPECT_NEAR(one.pop_rsp, 0.5345224838248487, 1e-15) << "listed 1 1 1";
  EXPECT_DOUBLE_EQ(one.aclt, 1.0 / 3);
  const auto json = to_json(one, 1);
  for (const char* key : {"aclt@1", "pop_reo@1", "pop_rsp@1", "novelty@1", "miscalibration@1"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
}

// Item i is drawn about 1 / (i + 1) as often; user 5 is left without training items.
Market skewed_market() {
  std::vector<Pair> train, valid, test;
  const Random random(3, Purpose::kMarket);
  for (std::uint32_t u = 0; u < 600; ++u) {
    Draws draws(random, u);
    for (int n = 0; n < 14; ++n) {
      const std::uint32_t item = draws.below(1 + draws.below(90));
      auto& part = n < 8 ? train : n < 9 ? valid : test;
      if (u != 5 || n >= 8) part.push_back({u, item});
    }
  }
  return testing::market_of(
      data::make_dataset("skewed", numbered(600), numbered(90), train, valid, {{"test", test}}), 8);
}

// Every formula from the lists themselves, in no hurry.
std::map<std::string, double> the_long_way(const Market& m, std::size_t k) {
  const data::Dataset& data = m.dataset;
  const auto third = data::popularity_thirds(data.item_popularity);
  double listed[3]{}, hits[3]{}, relevant[3]{}, candidates[3]{};
  double bits = 0, places = 0, distances = 0, calibrated = 0, users = 0;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    const data::Csr& test = data.tests[0].items_of;
    if (test.count(u) == 0) continue;
    ++users;
    std::vector<std::pair<float, Row>> order;
    for (Row i = 0; i < data.item_count(); ++i) {
      const bool relevant_one = test.contains(u, i);
      relevant[third[i]] += relevant_one;
      if (!relevant_one && (data.items_of.contains(u, i) || data.valid.items_of.contains(u, i))) {
        continue;
      }
      ++candidates[third[i]];
      float score = 0;
      for (std::size_t c = 0; c < 8; ++c) {
        score = std::fma(m.users.row(u)[c], m.items.row(i)[c], score);
      }
      order.push_back({-score, i});
    }
    std::sort(order.begin(), order.end());
    PopularityShares list{}, history{};
    for (std::size_t rank = 0; rank < k; ++rank) {
      const Row item = order[rank].second;
      ++listed[third[item]];
      hits[third[item]] += test.contains(u, item);
      list[third[item]] += 1.0 / static_cast<double>(k);
      bits -= std::log2((data.item_popularity[item] + 1.0) / (599 + 1.0));
      ++places;
    }
    const auto row = data.items_of.row(u);
    for (const Row item : row) history[third[item]] += 1.0 / static_cast<double>(row.size());
    if (row.empty()) continue;
    distances += jensen_shannon_distance(list, history);
    ++calibrated;
  }
  const auto unevenness = [](const double* counts, const double* of) {
    double mean = 0, squares = 0;
    for (int g = 0; g < 3; ++g) mean += counts[g] / of[g] / 3;
    for (int g = 0; g < 3; ++g) squares += std::pow(counts[g] / of[g] - mean, 2) / 3;
    return std::sqrt(squares) / mean;
  };
  EXPECT_EQ(calibrated, users - 1) << "user 5 has no history";
  return {{"aclt", listed[2] / users},
          {"pop_reo", unevenness(hits, relevant)},
          {"pop_rsp", unevenness(listed, candidates)},
          {"novelty", bits / places},
          {"miscalibration", distances / calibrated}};
}

TEST(Popularity, BruteForceAndAnyThreadCount) {
  const Market m = skewed_market();
  const auto expected = the_long_way(m, 10);
  std::vector<nlohmann::json> results;
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    const Evaluation e = evaluate_part({m.users, m.items, model::Score::kDot}, m.dataset,
                                       m.dataset.tests[0], {10, false, false}, threads);
    results.push_back(to_json(e, 10));
    for (const auto& [name, value] : expected) {
      EXPECT_NEAR(results.back()[name + "@10"].get<double>(), value, 1e-12) << name;
      EXPECT_GT(value, 0) << name;
    }
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace evenkeel::eval
