// The synthetic market. In: options; out: a log whose bias obeys them and a test without any.
#include "data/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/load.h"
#include "data/statistics.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;

MarketOptions small() {
  MarketOptions options;
  options.users = 400;
  options.items = 300;
  options.interactions = 5000;
  return options;
}

const NamedPairs& unbiased(const Market& market) {
  return market.parts.tests.at(2);
}

TEST(Market, PartsAreDisjointAndNamed) {
  const Market market = make_market(small());
  ASSERT_EQ(market.parts.tests.size(), 3u);
  EXPECT_EQ(market.parts.tests[0].name, "test_id");
  EXPECT_EQ(market.parts.tests[1].name, "test_ood");
  EXPECT_EQ(unbiased(market).name, "test_unbiased");
  std::set<Pair> seen;
  std::size_t total = 0;
  const auto add = [&](const std::vector<Pair>& pairs) {
    seen.insert(pairs.begin(), pairs.end());
    total += pairs.size();
  };
  add(market.parts.train);
  add(market.parts.valid);
  for (const NamedPairs& test : market.parts.tests) add(test.pairs);
  EXPECT_EQ(seen.size(), total);
  const std::size_t log = total - unbiased(market).pairs.size();
  EXPECT_LE(log, 5000u);
  EXPECT_GT(log, 4500u);  // some users like too few items
  EXPECT_EQ(market.parts.users.text(0).front(), 'u');
  EXPECT_EQ(market.parts.items.text(0).front(), 'i');
}

TEST(Market, IsTheSameAtAnyThreadCountAndPureInTheSeed) {
  Threads one(1), three(3);
  const Market a = make_market(small(), one), b = make_market(small(), three);
  EXPECT_EQ(a.parts.train, b.parts.train);
  EXPECT_EQ(unbiased(a).pairs, unbiased(b).pairs);
  EXPECT_EQ(a.parts.items.bytes(), b.parts.items.bytes());
  MarketOptions other = small();
  other.seed = 2;
  EXPECT_NE(make_market(other).parts.train, a.parts.train);
}

TEST(Market, BiasSetsTheLongTailOfTheLogButNotOfTheUnbiasedTest) {
  double last = -1;
  for (const double bias : {0.0, 0.5, 1.0, 2.0}) {
    MarketOptions options = small();
    options.bias = bias;
    const Statistics found = make_statistics(make_dataset(make_market(options).parts));
    EXPECT_GT(found.parts[0].dkl_grouped, last + 0.05);
    last = found.parts[0].dkl_grouped;
    EXPECT_LT(found.parts[4].dkl_grouped, 0.06) << "unbiased test at bias " << bias;
  }
}

// Likes of the survey do not know appeal: an item's count there must not follow its popularity.
TEST(Market, UnbiasedTestDoesNotFollowPopularity) {
  const Dataset data = make_dataset(make_market(MarketOptions{}).parts);
  const std::size_t n = data.item_count();
  std::vector<double> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::log1p(data.item_popularity[i]);
  for (const Row item : data.tests.at(2).items_of.columns) ++y[item];
  double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < n; ++i) mx += x[i] / double(n), my += y[i] / double(n);
  for (std::size_t i = 0; i < n; ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  // Items that many tastes agree with are liked more in both; appeal adds nothing on top.
  EXPECT_LT(std::abs(xy / std::sqrt(xx * yy)), 0.35);
}

TEST(Market, FolderLoadsBackAsItWas) {
  const testing::Scratch scratch;
  const Market market = make_market(small());
  const auto manifest = write_market(scratch.path("m"), market);
  EXPECT_EQ(manifest.at("options").at("bias"), 1.0);
  Threads threads(2);
  const Dataset back = load_data(scratch.path("m"), Settings(data_fields()), threads);
  const Dataset made = make_dataset(market.parts);
  EXPECT_EQ(back.items_of.columns, made.items_of.columns);
  EXPECT_EQ(back.users.bytes(), made.users.bytes());
  EXPECT_EQ(back.tests.at(2).items_of.columns, made.tests.at(2).items_of.columns);
}

TEST(Market, StopsWhenTold) {
  Threads threads(2);
  const std::atomic<bool> stop{true};
  failure_of(ErrorKind::kInterrupted, [&] { make_market(small(), threads, &stop); });
}

TEST(Market, OptionsOutOfRangeAreConfigErrors) {
  const auto failure = [](auto change) {
    MarketOptions options = small();
    change(options);
    return failure_of(ErrorKind::kConfig, [&] { make_market(options); });
  };
  expect_holds(failure([](MarketOptions& o) { o.users = 0; }), {"0 users"});
  expect_holds(failure([](MarketOptions& o) { o.interactions = 10; }), {"--interactions is 10"});
  expect_holds(failure([](MarketOptions& o) { o.interactions = 1000000; }), {"5 %"});
  expect_holds(failure([](MarketOptions& o) { o.bias = -1; }), {"--bias is -1"});
  const Settings settings(market_fields());
  EXPECT_EQ(market_options(settings).interactions, 60000);
}

}  // namespace
}  // namespace evenkeel::data
