// Positives and negatives: exact, uniform, pure functions of seed and epoch.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "sampler/negatives.h"
#include "sampler/positives.h"
#include "sampler/registry.h"

namespace evenkeel::sampler {
namespace {

// User 0 owns 3 of 10 items, user 1 all but item 6, user 2 every item, user 3 nothing, user 4 one.
data::Csr small_log() {
  std::vector<Pair> pairs{{0, 1}, {0, 4}, {0, 9}, {4, 0}};
  for (Row i = 0; i < 10; ++i) {
    if (i != 6) pairs.push_back({1, i});
    pairs.push_back({2, i});
  }
  return data::make_csr(pairs, 5, Side::kUser);
}

TEST(Negatives, RankAmongUnownedItems) {
  const std::vector<Row> owned{1, 4, 9};
  const std::vector<Row> expected{0, 2, 3, 5, 6, 7, 8};
  for (std::uint32_t r = 0; r < expected.size(); ++r)
    EXPECT_EQ(unowned_item(owned, r), expected[r]);
  EXPECT_EQ(unowned_item({}, 5), 5U);
}

TEST(Negatives, NeverOwnedAndUniform) {
  const data::Csr log = small_log();
  RandomNegatives negatives(log, 10, 5);
  negatives.begin_epoch(3);
  std::map<Row, int> seen;
  std::vector<Row> drawn(50);
  auto scratch = negatives.scratch(50);
  for (std::size_t position = 0; position < 1400; ++position) {
    negatives.draw(0, position, drawn, scratch);
    for (const Row item : drawn) ++seen[item];
  }
  EXPECT_EQ(seen.size(), 7U);
  double chi_square = 0;  // 70,000 draws over 7 items, 6 degrees of freedom
  for (const auto& [item, count] : seen) {
    EXPECT_FALSE(log.contains(0, item));
    chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  }
  EXPECT_LT(chi_square, 22.5);  // p = 0.001
}

// 100 items of which the user owns 5: the branch that draws again on an owned item.
TEST(Negatives, FewOwnedItemsAreRejectedExactly) {
  std::vector<Pair> pairs;
  for (const Row item : {3, 30, 31, 64, 99}) pairs.push_back({0, item});
  const data::Csr log = data::make_csr(pairs, 1, Side::kUser);
  const RandomNegatives negatives(log, 100, 6);
  auto scratch = negatives.scratch(100);
  std::vector<int> seen(100, 0);
  std::vector<Row> drawn(95);
  for (std::size_t position = 0; position < 1000; ++position) {
    negatives.draw(0, position, drawn, scratch);
    for (const Row item : drawn) ++seen[item];
  }
  double chi_square = 0;  // 95,000 draws over 95 items, 94 degrees of freedom
  for (Row item = 0; item < 100; ++item) {
    if (log.contains(0, item)) {
      EXPECT_EQ(seen[item], 0) << item;
    } else {
      chi_square += (seen[item] - 1000.0) * (seen[item] - 1000.0) / 1000.0;
    }
  }
  EXPECT_LT(chi_square, 142.0);  // p = 0.001
}

TEST(Negatives, AUserWhoOwnsAllButOne) {
  const data::Csr log = small_log();
  RandomNegatives negatives(log, 10, 5);
  std::vector<Row> drawn(20);
  auto scratch = negatives.scratch(20);
  negatives.draw(1, 0, drawn, scratch);
  for (const Row item : drawn) EXPECT_EQ(item, 6U);
}

TEST(Negatives, DependOnPositionAndEpochOnly) {
  const data::Csr log = small_log();
  RandomNegatives a(log, 10, 5), b(log, 10, 5);
  a.begin_epoch(2);
  b.begin_epoch(2);
  std::vector<Row> first(9), second(9), other(9);
  auto scratch = a.scratch(9);
  b.draw(1, 40, second, scratch);  // an earlier draw must not shift the next
  a.draw(0, 17, first, scratch);
  b.draw(0, 17, second, scratch);
  EXPECT_EQ(first, second);
  b.begin_epoch(3);
  b.draw(0, 17, other, scratch);
  EXPECT_NE(first, other);
}

TEST(Positives, ByInteractionGivesEveryPairOnce) {
  const data::Csr log = small_log();
  const auto positives = find_sampler("interaction").make(log, 10, 8);
  positives->begin_epoch(1);
  std::vector<Pair> first(positives->samples().begin(), positives->samples().end());
  EXPECT_EQ(first.size(), 13U);  // user 2 owns every item and is left out
  std::vector<Pair> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const Pair& pair : first) {
    EXPECT_TRUE(log.contains(pair.user, pair.item));
    EXPECT_NE(pair.user, 2U);
  }
  positives->begin_epoch(2);
  EXPECT_FALSE(std::equal(first.begin(), first.end(), positives->samples().begin()));
  positives->begin_epoch(1);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), positives->samples().begin()));
}

// What ranks hold between them is tested over MPI; here one rank has all of it.
TEST(Positives, TheDividedOrderIsTheSame) {
  const data::Csr log = small_log();
  const SamplerEntry& entry = find_sampler("interaction");
  const std::vector<std::size_t> cuts{0, log.rows()};
  const auto whole = entry.make(log, 10, 8);
  const auto divided = entry.make_divided(log, 10, 8, cuts, cluster::alone());
  ASSERT_EQ(divided->size(), whole->size());
  for (const std::uint32_t epoch : {1U, 2U}) {
    whole->begin_epoch(epoch);
    divided->begin_epoch(epoch);
    for (std::size_t first = 0; first < whole->size(); first += 4) {
      const std::size_t count = std::min<std::size_t>(4, whole->size() - first);
      const auto wanted = whole->samples(first, count), got = divided->samples(first, count);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), got.begin(), got.end())) << first;
    }
  }
}

TEST(Positives, ByUserGivesUsersEqualWeight) {
  const data::Csr log = small_log();
  const auto positives = find_sampler("user").make(log, 10, 8);
  positives->begin_epoch(4);
  std::map<Row, int> seen;
  for (const Pair& pair : positives->samples()) {
    EXPECT_TRUE(log.contains(pair.user, pair.item));
    ++seen[pair.user];
  }
  EXPECT_EQ(positives->samples().size(), 13U);
  ASSERT_EQ(seen.size(), 3U);
  for (const auto& [user, count] : seen) EXPECT_TRUE(count == 4 || count == 5) << user;
}

// The same log with a weight for each pair: 1, 2, 3 and so on, one of them 0.
data::Csr weighted_log() {
  data::Csr log = small_log();
  for (std::size_t n = 0; n < log.size(); ++n) {
    log.weights.push_back(n == 1 ? 0.0F : static_cast<float>(n % 5 + 1));
  }
  return log;
}

std::map<Pair, double> mean_counts(const char* sampler, const data::Csr& log, int epochs) {
  const auto positives = find_sampler(sampler).make(log, 10, 8);
  std::map<Pair, double> counts;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    positives->begin_epoch(static_cast<std::uint32_t>(epoch));
    EXPECT_EQ(positives->samples().size(), positives->size());
    for (const Pair& pair : positives->samples()) counts[pair] += 1.0 / epochs;
  }
  return counts;
}

TEST(Positives, WeightsSayHowOftenAPairComes) {
  const data::Csr log = weighted_log();
  for (const char* sampler : {"interaction", "user"}) {
    const SamplerEntry& entry = find_sampler(sampler);
    // What the extractor takes for the share of each pair is the share that is drawn.
    std::map<Pair, double> expected;
    double all = 0;
    for (Row user = 0; user < log.rows(); ++user) {
      if (user == 2) continue;  // owns every item
      double total = 0;
      for (auto at = log.offsets[user]; at < log.offsets[user + 1]; ++at) {
        total += double{log.weights[at]};
      }
      for (auto at = log.offsets[user]; at < log.offsets[user + 1]; ++at) {
        const double share = entry.weight(total) * double{log.weights[at]};
        expected[{user, log.columns[at]}] = share;
        all += share;
      }
    }
    const auto counts = mean_counts(sampler, log, 4000);
    std::map<Row, double> of_user;  // 13 samples of 3 users in turn: the first has one more
    for (const auto& [pair, mean] : counts) of_user[pair.user] += mean;
    const bool in_turn = std::string(sampler) == "user";
    for (const auto& [pair, share] : expected) {
      const auto found = counts.find(pair);
      const double mean = found != counts.end() ? found->second : 0.0;
      const double wanted = in_turn ? of_user[pair.user] * share : 13 * share / all;
      EXPECT_NEAR(mean, wanted, 0.06) << sampler << pair.user << " " << pair.item;
    }
  }
}

// A pair of weight 3 is as good as three rows of it: with as many samples as there are rows, the
// counts are those of an epoch over the repeated rows.
TEST(Positives, WeightsAreAsGoodAsRepeatedRows) {
  data::Csr log;
  log.offsets = {0, 4, 8};
  log.columns = {0, 1, 2, 3, 0, 4, 5, 6};
  log.weights = {1, 1, 1, 1, 3, 1, 0, 0};  // together 8, as many as there are pairs
  const auto positives = find_sampler("interaction").make(log, 10, 8);
  for (std::uint32_t epoch = 1; epoch < 20; ++epoch) {
    positives->begin_epoch(epoch);
    std::map<Pair, int> counts;
    for (const Pair& pair : positives->samples()) ++counts[pair];
    EXPECT_EQ(counts,
              (std::map<Pair, int>{
                  {{0, 0}, 1}, {{0, 1}, 1}, {{0, 2}, 1}, {{0, 3}, 1}, {{1, 0}, 3}, {{1, 4}, 1}}));
  }
}

TEST(Positives, EqualWeightsChangeNothing) {
  const data::Csr log = small_log();
  data::Csr even = log;
  even.weights.assign(log.size(), 0.7F);
  const auto plain = find_sampler("interaction").make(log, 10, 8);
  const auto weighted = find_sampler("interaction").make(even, 10, 8);
  for (std::uint32_t epoch = 1; epoch < 20; ++epoch) {
    plain->begin_epoch(epoch);
    weighted->begin_epoch(epoch);
    EXPECT_TRUE(std::ranges::equal(plain->samples(), weighted->samples()));
  }
}

TEST(Positives, MorePairsThanNumbersAreRefused) {
  check_countable(4294967295U);
  try {
    check_countable(4294967296U);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

}  // namespace
}  // namespace evenkeel::sampler
