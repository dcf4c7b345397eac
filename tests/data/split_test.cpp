// k-core and splits. In: random logs; out: the properties that docs/methods.md promises of each
// protocol.
#include "data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/rng.h"
#include "data/kcore.h"
#include "data/statistics.h"
#include "real_data.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;

// A long-tailed log of different pairs.
Interactions random_log(std::uint32_t users, std::uint32_t items, std::uint32_t rows,
                        bool with_times = false) {
  Interactions log;
  const Random random(5, Purpose::kPool);
  std::set<Pair> seen;
  for (std::uint32_t n = 0; log.pairs.size() < rows; ++n) {
    const double x = random.uniform(n, 0), y = random.uniform(n, 1);
    const Pair pair{log.users.insert(std::to_string(int(x * x * users))),
                    log.items.insert(std::to_string(int(y * y * y * items)))};
    if (!seen.insert(pair).second) continue;
    log.pairs.push_back(pair);
    if (with_times) log.times.push_back(double(random.word(n, 2) % 1000));
  }
  return log;
}

std::map<std::string, std::size_t> sizes(const SplitPlan& plan) {
  std::map<std::string, std::size_t> out;
  for (const std::uint8_t part : plan.part_of) ++out[plan.names.at(part)];
  return out;
}

TEST(KCore, IsTheFixpointOfRepeatedRemoval) {
  Interactions log = random_log(300, 200, 3000, true);
  std::set<std::pair<std::string, std::string>> naive;
  for (const Pair& p : log.pairs) {
    naive.emplace(log.users.text(p.user), log.items.text(p.item));
  }
  for (bool changed = true; changed;) {
    std::map<std::string, int> users, items;
    for (const auto& [u, i] : naive) ++users[u], ++items[i];
    const auto before = naive.size();
    std::erase_if(naive, [&](const auto& p) { return users[p.first] < 8 || items[p.second] < 8; });
    changed = naive.size() != before;
  }
  ASSERT_FALSE(naive.empty());
  const std::vector<std::string> before = testing::pair_texts(log);
  filter_k_core(log, 8);
  EXPECT_LT(log.pairs.size(), before.size());
  std::set<std::pair<std::string, std::string>> kept;
  for (const Pair& p : log.pairs) kept.emplace(log.users.text(p.user), log.items.text(p.item));
  EXPECT_EQ(kept, naive);
  EXPECT_EQ(log.times.size(), log.pairs.size());
  const auto after = testing::pair_texts(log);  // the order stays
  EXPECT_TRUE(std::includes(before.begin(), before.end(), after.begin(), after.end(),
                            [&](const auto& a, const auto& b) {
                              return std::find(before.begin(), before.end(), a) <
                                     std::find(before.begin(), before.end(), b);
                            }));
}

TEST(KCore, OneOrZeroChangesNothingAndTooMuchIsAnError) {
  Interactions log = random_log(50, 50, 200);
  filter_k_core(log, 1);
  EXPECT_EQ(log.pairs.size(), 200u);
  expect_holds(failure_of(ErrorKind::kData, [&] { filter_k_core(log, 100); }),
               {"100-core", "--k-core"});
}

TEST(KCore, AnimeHasThePublishedCore) {
  EVENKEEL_NEEDS_SHARED("data/anime");
  Threads threads(2);
  Interactions log = read_interactions(
      (testing::shared_folder() / "data/anime/interactions.txt").string(), {}, threads);
  filter_k_core(log, 10);
  EXPECT_EQ(log.users.size(), 4217u);
  EXPECT_EQ(log.items.size(), 4034u);
  EXPECT_EQ(log.pairs.size(), 505247u);
}

TEST(Split, IsPureInTheSeed) {
  const Interactions log = random_log(200, 150, 4000, true);
  for (const SplitProtocol& protocol : split_protocols()) {
    const SplitPlan one = protocol.split(log, 1), again = protocol.split(log, 1);
    EXPECT_EQ(one.part_of, again.part_of) << protocol.name;
    EXPECT_EQ(one.part_of.size(), log.pairs.size());
    Interactions timeless = log;
    timeless.times.clear();
    if (protocol.times == Times::kRequired || protocol.name == kNoSplit) continue;
    EXPECT_NE(protocol.split(timeless, 1).part_of, protocol.split(timeless, 2).part_of)
        << protocol.name;
  }
}

TEST(Split, RandomIs80To10To10) {
  const auto parts = sizes(split_random(random_log(200, 150, 4000), 3));
  EXPECT_EQ(parts.at("train"), 3200u);
  EXPECT_EQ(parts.at("valid"), 400u);
  EXPECT_EQ(parts.at("test"), 400u);
}

TEST(Split, BalancedGivesEveryItemTheSameQuota) {
  const Interactions log = random_log(800, 150, 9000);
  const SplitPlan plan = split_balanced(log, 3);
  const auto parts = sizes(plan);
  EXPECT_EQ(parts.at("test_ood"), 1350u);
  EXPECT_EQ(parts.at("test_id"), 1350u);
  EXPECT_EQ(parts.at("valid"), 900u);
  EXPECT_EQ(parts.at("train"), 5400u);
  std::vector<std::size_t> total(log.items.size()), given(log.items.size());
  for (std::size_t n = 0; n < log.pairs.size(); ++n) {
    ++total[log.pairs[n].item];
    given[log.pairs[n].item] += plan.part_of[n] == 3 ? 1 : 0;
  }
  const std::size_t top = *std::max_element(given.begin(), given.end());
  std::size_t at_top = 0;
  for (std::size_t i = 0; i < total.size(); ++i) {
    EXPECT_LT(given[i], total[i]) << "item " << i << " kept nothing back";
    // Below the top level an item gives less only when it has no more.
    if (given[i] + 1 < top) {
      EXPECT_EQ(given[i], total[i] - 1) << "item " << i;
    }
    at_top += given[i] == top ? 1 : 0;
  }
  EXPECT_GT(at_top, 1u);
}

TEST(Split, BalancedWithoutEnoughToGive) {
  Interactions log;  // every item once: nothing can be given
  for (int n = 0; n < 40; ++n) {
    log.pairs.push_back(
        {log.users.insert(std::to_string(n % 4)), log.items.insert(std::to_string(n))});
  }
  const auto parts = sizes(split_balanced(log, 1));
  EXPECT_FALSE(parts.contains("test_ood"));
  EXPECT_EQ(parts.at("test_id"), 6u);
}

TEST(Split, BalancedWithIdsThatHaveNoInteraction) {
  Interactions log = random_log(200, 50, 1000);
  for (int n = 0; n < 30; ++n) log.items.insert("never" + std::to_string(n));
  EXPECT_EQ(sizes(split_balanced(log, 1)).at("test_ood"), 150u);
}

TEST(Split, TemporalNeverTrainsOnTheFuture) {
  const Interactions log = random_log(200, 150, 4000, true);
  const SplitPlan plan = split_temporal(log, 1);
  const auto parts = sizes(plan);
  EXPECT_EQ(parts.at("train"), 2800u);
  EXPECT_EQ(parts.at("valid"), 400u);
  EXPECT_EQ(parts.at("test"), 800u);
  std::vector<double> first(3, 1e9), last(3, -1);
  for (std::size_t n = 0; n < log.pairs.size(); ++n) {
    first[plan.part_of[n]] = std::min(first[plan.part_of[n]], log.times[n]);
    last[plan.part_of[n]] = std::max(last[plan.part_of[n]], log.times[n]);
  }
  EXPECT_LE(last[0], first[1]);
  EXPECT_LE(last[1], first[2]);
}

TEST(Split, LeaveOneOutTakesTheLastTwoOfEachUser) {
  for (const bool with_times : {true, false}) {
    const Interactions log = random_log(200, 150, 3000, with_times);
    const SplitPlan plan = split_leave_one_out(log, 1);
    std::vector<std::array<int, 3>> counts(log.users.size());
    std::vector<std::array<double, 3>> latest(log.users.size(), {-1, -1, -1});
    for (std::size_t n = 0; n < log.pairs.size(); ++n) {
      const Row user = log.pairs[n].user;
      ++counts[user][plan.part_of[n]];
      if (with_times) {
        latest[user][plan.part_of[n]] = std::max(latest[user][plan.part_of[n]], log.times[n]);
      }
    }
    for (std::size_t u = 0; u < counts.size(); ++u) {
      const int total = counts[u][0] + counts[u][1] + counts[u][2];
      EXPECT_EQ(counts[u][1], total >= 3 ? 1 : 0);
      EXPECT_EQ(counts[u][2], total >= 3 ? 1 : 0);
      if (with_times && total >= 3) {
        EXPECT_LE(latest[u][0], latest[u][1]);
        EXPECT_LE(latest[u][1], latest[u][2]);
      }
    }
  }
}

TEST(Split, UnknownProtocolNamesTheCandidates) {
  expect_holds(failure_of(ErrorKind::kConfig, [] { find_protocol("balansed"); }),
               {"balansed", "did you mean 'balanced'", "leave-one-out"});
}

// The parts are the ends of the rows sorted by their keys; nothing is sorted to find them.
TEST(Split, RandomTakesTheLastKeys) {
  for (const std::uint32_t count : {1U, 9U, 1000U, 40000U}) {
    Interactions log;
    log.pairs.resize(count);
    const Random random(6, Purpose::kSplit, 0);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (std::uint32_t row = 0; row < count; ++row) order.emplace_back(random.word64(row, 0), row);
    std::sort(order.begin(), order.end());
    const auto tenth = static_cast<std::size_t>(std::llround(0.1 * count));
    std::vector<std::uint8_t> wanted(count);
    for (std::size_t n = 0; n < tenth; ++n) {
      wanted[order[count - 1 - n].second] = 2;
      wanted[order[count - 1 - tenth - n].second] = 1;
    }
    EXPECT_EQ(split_random(log, 6).part_of, wanted);
  }
}

TEST(Split, RandomObeysTheShareOfValidation) {
  Interactions log;
  for (Row u = 0; u < 50; ++u) {
    for (Row i = 0; i < 20; ++i) {
      const Row user = log.users.insert(std::to_string(u));
      log.pairs.push_back({user, log.items.insert(std::to_string(i))});
    }
  }
  EXPECT_EQ(split_random(log, 3).part_of, split_random(log, 3, 0.1).part_of);
  for (const auto& [share, pairs] : std::vector<std::pair<double, int>>{{0, 0}, {0.3, 300}}) {
    const SplitPlan plan = split_random(log, 3, share);
    EXPECT_EQ(std::count(plan.part_of.begin(), plan.part_of.end(), 1), pairs);
    EXPECT_EQ(std::count(plan.part_of.begin(), plan.part_of.end(), 2), 100);
  }
  EXPECT_THROW(split_random(log, 3, 0.9), Error);
  Settings settings(data_fields());
  const Field validation[] = {validation_field()};
  settings.add(validation);
  refuse_validation(settings);
  settings.set("validation", std::string_view("0.3"));
  refuse_validation(settings);
  for (const char* split : {"temporal", "balanced", "leave-one-out", "none"}) {
    settings.set("split", std::string_view(split));
    EXPECT_THROW(refuse_validation(settings), Error) << split;
  }
}

}  // namespace
}  // namespace evenkeel::data
