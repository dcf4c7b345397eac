// In: candidates worked by hand, and random ones. Out: lists as the formulas of docs/methods.md
// choose them when every candidate is tried at every place.
#include "rank/rerank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/rng.h"
#include "data/groups.h"
#include "eval/market.h"
#include "rank/reranking.h"

namespace evenkeel::rank {
namespace {

using testing::Market;

// 90 items, item i with 90 - i interactions: thirds are 0..29, 30..59, 60..89.
std::vector<std::uint32_t> falling_popularity() {
  std::vector<std::uint32_t> popularity(90);
  for (std::uint32_t i = 0; i < 90; ++i) popularity[i] = 90 - i;
  return popularity;
}

std::unique_ptr<Reranker> make(std::string_view name, double strength, const RerankInputs& inputs) {
  const RerankerEntry& entry = find_reranker(name);
  Settings settings(entry.fields);
  settings.set(entry.fields[0].name, Value(strength));
  return entry.make(settings, inputs);
}

// Scores fall; a few are equal, and then the lower item comes first.
std::vector<kernels::Ranked> random_candidates(std::uint64_t seed, std::size_t count) {
  const Random random(seed, Purpose::kMarket);
  Draws draws(random, 0);
  std::vector<kernels::Ranked> all;
  for (Row item = 0; item < 90; ++item) {
    // Popular items score higher, as they do.
    const std::uint32_t level = draws.below(30) + (89 - item) / 4;
    all.push_back({static_cast<float>(level) * 0.125F - 2, item});
  }
  std::sort(all.begin(), all.end(), [](const kernels::Ranked& a, const kernels::Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.item < b.item;
  });
  all.resize(count);
  return all;
}

std::vector<Row> items_of(const std::vector<kernels::Ranked>& list) {
  std::vector<Row> items;
  for (const kernels::Ranked& entry : list) items.push_back(entry.item);
  return items;
}

TEST(Rerank, TableNamesItsOptions) {
  for (const RerankerEntry& entry : rerankers()) {
    ASSERT_FALSE(entry.fields.empty()) << entry.name;
    EXPECT_EQ(entry.fields[0].min, 0) << entry.name << ": 0 leaves the list as it is";
    EXPECT_THROW(make(entry.name, -1, {}), Error) << entry.name;
    EXPECT_THROW(make(entry.name, 1000, {}), Error) << entry.name;
  }
  EXPECT_THROW(find_reranker("calibratd"), Error);
}

TEST(Rerank, StrengthZeroIsThePlainList) {
  const auto popularity = falling_popularity();
  const data::Csr history =
      data::make_csr(std::vector<Pair>{{0, 1}, {0, 70}, {0, 40}}, 1, Side::kUser);
  const auto candidates = random_candidates(1, 60);
  const std::vector<kernels::Ranked> plain(candidates.begin(), candidates.begin() + 20);
  std::vector<kernels::Ranked> list;
  for (const RerankerEntry& entry : rerankers()) {
    make(entry.name, 0, {popularity})->rerank(history.row(0), candidates, 20, list);
    EXPECT_EQ(list, plain) << entry.name << ": also the scores";
  }
}

TEST(Rerank, FewOrNoCandidatesAndEqualScores) {
  const auto popularity = falling_popularity();
  const data::Csr history = data::make_csr(std::vector<Pair>{{0, 1}, {0, 70}}, 1, Side::kUser);
  const std::vector<kernels::Ranked> three{{1, 4}, {1, 50}, {1, 80}};
  std::vector<kernels::Ranked> list{{9, 9}};
  for (const RerankerEntry& entry : rerankers()) {
    const RerankInputs inputs(popularity);
    const auto reranker = make(entry.name, 1, inputs);
    reranker->rerank(history.row(0), {}, 20, list);
    EXPECT_TRUE(list.empty()) << entry.name;
    reranker->rerank(history.row(0), three, 20, list);
    std::vector<Row> items = items_of(list);
    std::sort(items.begin(), items.end());
    EXPECT_EQ(items, (std::vector<Row>{4, 50, 80})) << entry.name;
  }
  const std::vector<std::uint32_t> even(90, 7);
  make("compensation", 1, {even})->rerank(history.row(0), three, 2, list);
  EXPECT_EQ(items_of(list), (std::vector<Row>{4, 50})) << "all equal: the lower rows";
}

TEST(Rerank, WithoutHistoryTheGroupRerankersKeepTheList) {
  const auto popularity = falling_popularity();
  const auto candidates = random_candidates(2, 50);
  std::vector<kernels::Ranked> list;
  for (const char* name : {"calibrated", "xquad"}) {
    make(name, 1, {popularity})->rerank({}, candidates, 10, list);
    EXPECT_EQ(list, (std::vector<kernels::Ranked>(candidates.begin(), candidates.begin() + 10)))
        << name;
  }
}

// Greedy as written down: every candidate left is tried, its whole list is judged.
std::vector<Row> greedy(const std::vector<kernels::Ranked>& candidates,
                        std::span<const Row> history, std::size_t k, double weight,
                        bool calibrated) {
  const auto third = data::popularity_thirds(falling_popularity());
  const auto shares = [&](std::span<const Row> items) {
    std::array<double, 3> result{};
    for (const Row item : items) result[third[item]] += 1;
    for (double& share : result) share /= static_cast<double>(items.size());
    return result;
  };
  const auto wanted = shares(history);
  const double high = candidates.front().score, low = candidates.back().score;
  std::vector<Row> list;
  while (list.size() < k) {
    double best = -1e9;
    Row chosen = 0;
    for (const kernels::Ranked& candidate : candidates) {
      if (std::find(list.begin(), list.end(), candidate.item) != list.end()) continue;
      const double relevance = (candidate.score - low) / (high - low);
      double value = 0;
      if (calibrated) {
        std::vector<Row> with = list;
        with.push_back(candidate.item);
        value = (1 - weight) * relevance / static_cast<double>(k) -
                weight * eval::jensen_shannon_divergence(wanted, shares(with));
      } else {
        const std::size_t group = third[candidate.item];
        const double held = list.empty() ? 0 : shares(list)[group];
        value = (1 - weight) * relevance + weight * wanted[group] * (1 - held);
      }
      if (value > best) {
        best = value;
        chosen = candidate.item;
      }
    }
    list.push_back(chosen);
  }
  return list;
}

TEST(Rerank, AsWhenEveryCandidateIsTried) {
  const auto popularity = falling_popularity();
  const data::Csr history = data::make_csr(
      std::vector<Pair>{{0, 1}, {0, 2}, {0, 40}, {0, 70}, {1, 61}, {1, 62}, {2, 3}, {2, 4}, {2, 5}},
      3, Side::kUser);
  std::vector<kernels::Ranked> list;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto candidates = random_candidates(seed, 30 + seed * 3);
    for (const double weight : {0.1, 0.3, 0.5, 0.8, 1.0}) {
      for (Row user = 0; user < 3; ++user) {
        for (const bool calibrated : {true, false}) {
          make(calibrated ? "calibrated" : "xquad", weight, {popularity})
              ->rerank(history.row(user), candidates, 20, list);
          EXPECT_EQ(items_of(list), greedy(candidates, history.row(user), 20, weight, calibrated))
              << seed << ' ' << weight << ' ' << user << ' ' << calibrated;
        }
      }
    }
  }
}

TEST(Rerank, FullCalibrationReachesTheUsersShares) {
  const auto popularity = falling_popularity();
  // A quarter head, a quarter mid, half tail.
  const data::Csr history =
      data::make_csr(std::vector<Pair>{{0, 1}, {0, 40}, {0, 70}, {0, 71}}, 1, Side::kUser);
  const auto candidates = random_candidates(5, 90);
  std::vector<kernels::Ranked> list;
  make("calibrated", 1, {popularity})->rerank(history.row(0), candidates, 20, list);
  const auto third = data::popularity_thirds(popularity);
  EXPECT_EQ(eval::count_groups(items_of(list), third), (eval::GroupCounts{5, 5, 10}));
  // Inside a group the best stay first.
  std::array<float, 3> last{9, 9, 9};
  for (const kernels::Ranked& entry : list) {
    EXPECT_LE(entry.score, last[third[entry.item]]);
    last[third[entry.item]] = entry.score;
  }
}

// P(head) = P(tail) = 1/2: the two take turns until relevance alone decides between equals.
TEST(Rerank, XquadAlternatesBetweenTheUsersGroups) {
  const auto popularity = falling_popularity();
  const data::Csr history = data::make_csr(std::vector<Pair>{{0, 1}, {0, 70}}, 1, Side::kUser);
  const auto candidates = random_candidates(5, 90);
  const auto third = data::popularity_thirds(popularity);
  const auto groups = [&](double weight) {
    std::vector<kernels::Ranked> list;
    make("xquad", weight, {popularity})->rerank(history.row(0), candidates, 20, list);
    return eval::count_groups(items_of(list), third);
  };
  EXPECT_EQ(groups(1), (eval::GroupCounts{10, 0, 10}));
  EXPECT_GT(groups(0.5)[2], groups(0.2)[2]);
  EXPECT_GT(groups(0.2)[2], groups(0)[2]);
}

// Relevance 1, 0.5, 0 with counts 9, 0, 4: n = sqrt(1.25 / 3). Payments with taste 0.5 are
// (0.5 / n + 0.5) / 10, (0.25 / n + 0.5) / 1, 0.5 / 5.
TEST(Rerank, CompensationByHand) {
  const std::vector<std::uint32_t> popularity{9, 0, 4};
  const std::vector<kernels::Ranked> candidates{{3, 0}, {2, 1}, {1, 2}};
  const double n = std::sqrt(1.25 / 3);
  const double c[] = {(0.5 / n + 0.5) / 10, 0.25 / n + 0.5, 0.1};
  const double m = std::sqrt((c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / 3);
  // Item 1 passes item 0 where 0.5 + s n / m c1 = 1 + s n / m c0.
  const double passes = 0.5 * m / n / (c[1] - c[0]);
  std::vector<kernels::Ranked> list;
  make("compensation", passes * 0.999, {popularity})->rerank({}, candidates, 2, list);
  EXPECT_EQ(items_of(list), (std::vector<Row>{0, 1}));
  make("compensation", passes * 1.001, {popularity})->rerank({}, candidates, 2, list);
  EXPECT_EQ(items_of(list), (std::vector<Row>{1, 0}));
  EXPECT_EQ(list[0].score, 2) << "the score it came with";
}

eval::Evaluation reranked(eval::Evaluator& evaluator, const data::Dataset& data,
                          const eval::VectorView& view, const RerankAsk& ask,
                          const eval::EvaluateOptions& options, Threads& threads) {
  const RerankInputs inputs(data.item_popularity);
  const Reranking reranking(ask, inputs);
  const RerankRule rule(reranking, data.items_of, options.k, threads.count());
  return evaluator.evaluate(view, options, threads, rule.rule());
}

Market skewed_market() {
  std::vector<Pair> train, test;
  const Random random(9, Purpose::kMarket);
  data::Ids users, items;
  for (std::uint32_t u = 0; u < 500; ++u) users.insert("u" + std::to_string(u));
  for (std::uint32_t i = 0; i < 120; ++i) items.insert("i" + std::to_string(i));
  for (std::uint32_t u = 0; u < 500; ++u) {
    Draws draws(random, u);
    for (int n = 0; n < 12; ++n) {
      (n < 9 ? train : test).push_back({u, draws.below(1 + draws.below(120))});
    }
  }
  Market m = testing::market_of(
      data::make_dataset("skewed", users, items, train, {}, {{"test", test}}), 8);
  // Popular items score higher with everybody.
  for (std::size_t u = 0; u < 500; ++u) m.users.row(u)[0] = 1;
  for (std::size_t i = 0; i < 120; ++i) {
    m.items.row(i)[0] = 0.03F * static_cast<float>(m.dataset.item_popularity[i]);
  }
  return m;
}

TEST(EvaluateReranked, StrengthZeroIsThePlainEvaluationAndThreadsChangeNoDigit) {
  const Market m = skewed_market();
  const eval::EvaluateOptions options{10, true, true};
  const eval::VectorView view{m.users, m.items, model::Score::kDot};
  for (const RerankerEntry& entry : rerankers()) {
    std::vector<nlohmann::json> plain, none, some;
    for (const int count : {1, 3}) {
      Threads threads(count);
      eval::Evaluator evaluator(m.dataset, m.dataset.tests[0]);
      const auto figures = [&](const eval::Evaluation& e) {
        auto json = eval::to_json(e, 10);
        json["groups"] = eval::groups_to_json(e, 10);
        for (const eval::UserResult& user : e.per_user)
          json["users_"].push_back({user.user, user.ndcg});
        return json;
      };
      plain.push_back(figures(evaluator.evaluate(view, options, threads)));
      const auto at = [&](double strength) {
        return figures(reranked(evaluator, m.dataset, view, {&entry, strength}, options, threads));
      };
      none.push_back(at(0));
      some.push_back(at(0.4));
    }
    EXPECT_EQ(none[0], plain[0]) << entry.name;
    EXPECT_EQ(plain[0], plain[1]);
    EXPECT_EQ(some[0], some[1]) << entry.name;
    EXPECT_NE(some[0], plain[0]) << entry.name;
  }
}

TEST(EvaluateReranked, MoreStrengthMovesTheShares) {
  const Market m = skewed_market();
  const eval::VectorView view{m.users, m.items, model::Score::kDot};
  Threads threads(2);
  eval::Evaluator evaluator(m.dataset, m.dataset.tests[0]);
  const auto evaluate = [&](std::string_view name, double strength) {
    return reranked(evaluator, m.dataset, view, {&find_reranker(name), strength},
                    {10, false, false}, threads);
  };
  const eval::Evaluation plain = evaluator.evaluate(view, {10, false, false}, threads);
  double before = plain.miscalibration;
  for (const double strength : {0.1, 0.4, 1.0}) {
    const double now = evaluate("calibrated", strength).miscalibration;
    EXPECT_LT(now, before) << strength;
    before = now;
  }
  EXPECT_LT(before, plain.miscalibration / 3);
  EXPECT_LT(evaluate("xquad", 0.3).miscalibration, plain.miscalibration);
  double popularity = plain.mean_popularity;
  for (const double strength : {0.2, 1.0, 5.0}) {
    const eval::Evaluation now = evaluate("compensation", strength);
    EXPECT_LT(now.mean_popularity, popularity) << strength;
    popularity = now.mean_popularity;
  }
}

TEST(RerankAsk, WordsAreCheckedOnce) {
  EXPECT_EQ(rerank_ask({}).entry, nullptr);
  const RerankAsk own = rerank_ask({"xquad"});
  EXPECT_EQ(own.entry->name, "xquad");
  EXPECT_EQ(own.strength, 0.7);
  EXPECT_EQ(own.candidates, 100U);
  EXPECT_EQ(rerank_ask({"compensation", "3", 40}).strength, 3);
  EXPECT_EQ(rerank_ask({"compensation", "3", 40}).candidates, 40U);
  for (const char* wrong : {"nan", "-1", "1e9", "much", "", "inf"}) {
    EXPECT_THROW(rerank_ask({"calibrated", wrong}), Error) << wrong;
  }
  EXPECT_THROW(rerank_ask({"calibratd"}), Error);
  EXPECT_THROW(rerank_ask({"xquad", "0.1", 0}), Error);
  EXPECT_THROW(rerank_ask({"none", "0.1"}), Error) << "a strength of nothing";
  EXPECT_THROW(rerank_ask({"none", {}, 50}), Error);
}

TEST(Reranking, IsTheRerankerOverTheCandidatesOrNothing) {
  const auto popularity = falling_popularity();
  const RerankInputs inputs(popularity);
  const std::vector<Row> history{1, 40, 70, 71};
  const auto candidates = random_candidates(5, 60);
  std::vector<kernels::Ranked> list = candidates;
  Reranking().apply(history, 10, list);
  EXPECT_EQ(list, candidates);
  EXPECT_EQ(Reranking().candidates(10), 10U);
  const Reranking reranking(rerank_ask({"calibrated", "1", 60}), inputs);
  EXPECT_EQ(reranking.candidates(10), 60U);
  EXPECT_EQ(reranking.candidates(70), 70U);
  reranking.apply(history, 10, list);
  std::vector<kernels::Ranked> expected;
  make("calibrated", 1, inputs)->rerank(history, candidates, 10, expected);
  EXPECT_EQ(list, expected);
  const std::vector<std::uint32_t> even(90, 7);
  EXPECT_THROW(Reranking(rerank_ask({"xquad"}), RerankInputs(even)), Error) << "no groups";
}

TEST(EvaluateReranked, FewerCandidatesThanKAreRaisedToK) {
  const Market m = skewed_market();
  const eval::VectorView view{m.users, m.items, model::Score::kDot};
  Threads threads(1);
  eval::Evaluator evaluator(m.dataset, m.dataset.tests[0]);
  const eval::Evaluation plain = evaluator.evaluate(view, {10, false, false}, threads);
  const eval::Evaluation same =
      reranked(evaluator, m.dataset, view, {&find_reranker("calibrated"), 1, 1}, {10, false, false},
               threads);
  EXPECT_EQ(same.overall.recall, plain.overall.recall) << "the same ten in another order";
  EXPECT_EQ(same.tail_share, plain.tail_share);
}

}  // namespace
}  // namespace evenkeel::rank
