// In: figures and markets whose best strength is known. Out: the strength that each goal chooses.
#include "rank/dial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "rank/correction.h"

namespace evenkeel::rank {
namespace {

TEST(Dial, EachGoalHasItsChoice) {
  const std::vector<DialPoint> points{{0, {0.100, 0.010}},    {0.1, {0.1004, 0.012}},
                                      {0.2, {0.0985, 0.014}}, {0.3, {0.0978, 0.016}},
                                      {0.8, {0.0500, 0.030}}, {1.0, {0.0300, 0.030}}};
  EXPECT_EQ(preferred(points, eval::Goal::kLogged), 1U);
  EXPECT_EQ(preferred(points, eval::Goal::kBalanced), 4U) << "ties go to the lower strength";
  EXPECT_EQ(preferred(points, eval::Goal::kBoth), 2U) << "at least 97.5 % of 0.1004";
}

// A market in which taste and popularity are known: users choose from softmax(taste + log p_i).
// The model is that sum itself (T = 1), so taking out log p, a strength near 1, is what an oracle
// does that knows the tastes.
struct Oracle {
  static constexpr std::size_t kUsers = 3000, kItems = 400, kDim = 4;
  Oracle() : users(kUsers, kDim + 1), items(kItems, kDim + 1) {
    const Random random(3, Purpose::kAnalysis);
    std::vector<double> appeal(kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
      appeal[i] = -1.1 * std::log(1.0 + static_cast<double>(i));
      for (std::size_t c = 0; c < kDim; ++c) items.row(i)[c] = normal(random, i, c);
      items.row(i)[kDim] = static_cast<float>(appeal[i]);
    }
    data::Ids user_ids, item_ids;
    for (std::size_t u = 0; u < kUsers; ++u) user_ids.insert("u" + std::to_string(u));
    for (std::size_t i = 0; i < kItems; ++i) item_ids.insert("i" + std::to_string(i));
    std::vector<Pair> train, valid;
    for (std::size_t u = 0; u < kUsers; ++u) {
      for (std::size_t c = 0; c < kDim; ++c) users.row(u)[c] = normal(random, 10000 + u, c);
      users.row(u)[kDim] = 1;
      for (std::uint32_t n = 0; n < 12; ++n) {
        const Row item = draw(u, random.uniform(static_cast<std::uint32_t>(20000 + u), n));
        (n < 10 ? train : valid).push_back({static_cast<Row>(u), item});
      }
    }
    data = data::make_dataset("market", std::move(user_ids), std::move(item_ids), train, valid, {});
    // The oracle's test: what users choose where every item is shown alike.
    std::vector<Pair> liked;
    for (std::size_t u = 0; u < kUsers; ++u) {
      for (std::uint32_t n = 0; n < 4; ++n) {
        const double uniform = random.uniform(static_cast<std::uint32_t>(40000 + u), n);
        const Row item = draw(u, uniform, appeal);
        if (!data.items_of.contains(u, item)) liked.push_back({static_cast<Row>(u), item});
      }
    }
    oracle = data;
    oracle.valid.items_of = data::make_csr(liked, kUsers, Side::kUser);
  }
  static float normal(const Random& random, std::size_t row, std::size_t column) {
    return static_cast<float>(
        random.normals(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column))[0]);
  }
  double score(std::size_t u, std::size_t i) const {
    double sum = 0;
    for (std::size_t c = 0; c <= kDim; ++c) {
      sum += double{users.row(u)[c]} * double{items.row(i)[c]};
    }
    return sum;
  }
  // From softmax(score - without); an empty `without` takes nothing away.
  Row draw(std::size_t user, double uniform, std::span<const double> without = {}) const {
    std::vector<double> weight(kItems);
    double total = 0;
    for (std::size_t i = 0; i < kItems; ++i) {
      weight[i] = std::exp(score(user, i) - (without.empty() ? 0 : without[i]));
      total += weight[i];
    }
    double left = total * uniform;
    std::size_t item = 0;
    while (item + 1 < kItems && left >= weight[item]) left -= weight[item++];
    return static_cast<Row>(item);
  }
  Matrix users, items;
  data::Dataset data, oracle;
};

TEST(Dial, BalancedFindsWhatAnOracleFinds) {
  const Oracle market;
  Threads threads(2);
  const eval::VectorView vectors{market.users, market.items, model::Score::kDot};
  const Dial dial = turn_dial({vectors, market.data, 1.0, eval::Goal::kBalanced}, threads);
  const Dial oracle = turn_dial({vectors, market.oracle, 1.0, eval::Goal::kLogged}, threads);
  EXPECT_FALSE(dial.thin);
  EXPECT_GT(dial.gain, 3 * dial.gain_error);
  // Clipped weights lean to the lower side; what is lost by it, the oracle says.
  EXPECT_NEAR(dial.choice().debias, oracle.choice().debias, 0.31);
  EXPECT_GT(oracle.points[dial.chosen].valid.logged, 0.95 * oracle.choice().valid.logged);
  EXPECT_GT(dial.choice().debias, 0.3) << "from biased pairs alone";
  const Dial logged = turn_dial({vectors, market.data, 1.0, eval::Goal::kLogged}, threads);
  EXPECT_LE(logged.choice().debias, 0.2) << "as logged, the model is right as it is";
  const Dial both = turn_dial({vectors, market.data, 1.0, eval::Goal::kBoth}, threads);
  EXPECT_GE(both.choice().valid.logged, (1 - kGivenUp) * logged.choice().valid.logged);
  EXPECT_GE(both.choice().valid.balanced, logged.choice().valid.balanced);
}

TEST(Dial, BothGoesBetweenTwoPointsWhereTheLoggedFigureReachesItsLimit) {
  const auto point = [](double debias, double logged) {
    return DialPoint{debias, {.logged = logged, .balanced = debias}};
  };
  // The limit, 97.5, lies a quarter of the way from 98 to 96.
  const std::vector<DialPoint> points{point(0, 100), point(0.2, 98), point(0.4, 96)};
  ASSERT_EQ(preferred(points, eval::Goal::kBoth), 1U);
  EXPECT_EQ(strength_at_limit(points, 1), std::optional(0.25));
  EXPECT_FALSE(strength_at_limit(points, 0)) << "the next point is good enough";
  EXPECT_FALSE(strength_at_limit(points, 2)) << "nothing lies behind";
  const std::vector<DialPoint> steep{point(0, 100), point(0.05, 0)};
  EXPECT_FALSE(strength_at_limit(steep, 0)) << "less than a hundredth";
}

TEST(Dial, BothTakesOutAllItMay) {
  const Oracle market;
  Threads threads(2);
  const eval::VectorView vectors{market.users, market.items, model::Score::kDot};
  const Dial dial = turn_dial({vectors, market.data, 1.0, eval::Goal::kBoth}, threads);
  EXPECT_GT(dial.points.size(), dial_strengths().size()) << "one was measured between two";
  EXPECT_TRUE(
      std::is_sorted(dial.points.begin(), dial.points.end(),
                     [](const DialPoint& a, const DialPoint& b) { return a.debias < b.debias; }));
  EXPECT_EQ(dial.chosen, preferred(dial.points, eval::Goal::kBoth));
}

TEST(Dial, AGivenStrengthIsMeasuredAndKept) {
  const Oracle market;
  Threads threads(2);
  const eval::VectorView vectors{market.users, market.items, model::Score::kDot};
  const Dial dial = turn_dial({vectors, market.data, 1.0, eval::Goal::kLogged, 0.37}, threads);
  EXPECT_EQ(dial.choice().debias, 0.37);
  EXPECT_EQ(dial.points.size(), 3U) << "as logged, as given, and one to compare with";
}

TEST(Dial, TooFewUsersChooseNothing) {
  Oracle market;
  std::vector<Pair> few;
  for (Row user = 0; user < 3; ++user)
    few.push_back({user, market.data.valid.items_of.row(user)[0]});
  market.data.valid.items_of = data::make_csr(few, Oracle::kUsers, Side::kUser);
  Threads threads(1);
  const eval::VectorView vectors{market.users, market.items, model::Score::kDot};
  const Dial dial = turn_dial({vectors, market.data, 1.0, eval::Goal::kBalanced}, threads);
  EXPECT_EQ(dial.choice().debias, 0) << "three pairs decide nothing";
}

TEST(Dial, EqualPopularityHasOnePoint) {
  Oracle market;
  std::fill(market.data.item_popularity.begin(), market.data.item_popularity.end(), 5U);
  Threads threads(1);
  const eval::VectorView vectors{market.users, market.items, model::Score::kDot};
  const Dial dial = turn_dial({vectors, market.data, 1.0, eval::Goal::kBalanced}, threads);
  EXPECT_EQ(dial.points.size(), 1U);
  EXPECT_EQ(dial.choice().debias, 0);
}

}  // namespace
}  // namespace evenkeel::rank
