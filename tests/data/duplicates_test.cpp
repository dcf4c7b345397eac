// Repeated pairs. In: logs with many of them; out: the first of each with the earliest time, the
// same in memory at any thread count and through files.
#include "data/duplicates.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "data/spilled_log.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

struct Rows {
  std::vector<Pair> pairs;
  std::vector<double> times;
};

constexpr std::uint32_t kUsers = 900, kItems = 70;

Rows log_of(std::uint32_t count, bool times) {
  const Random random(9, Purpose::kPool);
  Rows rows;
  for (std::uint32_t n = 0; n < count; ++n) {
    const auto words = random.words(n, 0);
    const std::uint32_t user = bounded(words[0], 1 + bounded(words[1], kUsers));
    rows.pairs.push_back({user, bounded(words[2], kItems)});
    if (times) rows.times.push_back(double(words[3] % 1000));
  }
  return rows;
}

Rows merged(const Rows& rows) {
  Rows out;
  std::map<Pair, std::size_t> first;
  for (std::size_t n = 0; n < rows.pairs.size(); ++n) {
    const auto [known, fresh] = first.emplace(rows.pairs[n], out.pairs.size());
    if (fresh) out.pairs.push_back(rows.pairs[n]);
    if (rows.times.empty()) continue;
    if (fresh) out.times.push_back(rows.times[n]);
    double& time = out.times[known->second];
    time = std::min(time, rows.times[n]);
  }
  return out;
}

TEST(Duplicates, TheFirstStaysWithTheEarliestTime) {
  // The large one is dealt out into several shares.
  for (const std::uint32_t count : {1U, 500U, 400000U}) {
    for (const bool times : {false, true}) {
      const Rows rows = log_of(count, times), wanted = merged(rows);
      for (const int workers : {1, 3}) {
        Threads threads(workers);
        Rows now = rows;
        const std::uint64_t dropped =
            merge_duplicates(now.pairs, now.times, kUsers, kItems, threads);
        EXPECT_EQ(dropped, count - wanted.pairs.size());
        EXPECT_EQ(now.pairs, wanted.pairs);
        Rows marked = rows;
        EXPECT_EQ(mark_duplicates(marked.pairs, marked.times, kUsers, kItems, threads), dropped);
        const KeptRows kept(marked.pairs, threads);
        ASSERT_EQ(kept.size(), wanted.pairs.size());
        for (const std::size_t first : {std::size_t{0}, wanted.pairs.size() / 3}) {
          std::vector<Pair> part(wanted.pairs.size() - first);
          kept.copy(std::span<const Pair>(marked.pairs), first, std::span(part));
          EXPECT_TRUE(std::equal(part.begin(), part.end(), wanted.pairs.begin() + long(first)));
        }
        EXPECT_EQ(now.times, wanted.times);
      }
    }
  }
}

// So many users and items that a row does not fit into eight bytes.
TEST(Duplicates, TheSameWithLargeNumbers) {
  constexpr std::uint32_t kLargestUser = (1U << 22) - 1, kLargestItem = (1U << 24) - 1;
  for (const bool times : {false, true}) {
    Rows rows = log_of(70000, times);
    for (Pair& pair : rows.pairs) {
      if (pair.user % 3 == 0) pair.user = kLargestUser - pair.user;
      if (pair.item % 3 == 0) pair.item = kLargestItem - pair.item;
    }
    const Rows wanted = merged(rows);
    Threads threads(2);
    merge_duplicates(rows.pairs, rows.times, kLargestUser + 1, kLargestItem + 1, threads);
    EXPECT_EQ(rows.pairs, wanted.pairs);
    EXPECT_EQ(rows.times, wanted.times);
  }
}

TEST(Duplicates, TheSameThroughFiles) {
  for (const bool times : {false, true}) {
    const Rows rows = log_of(300000, times), wanted = merged(rows);
    const testing::Scratch scratch;
    SpilledLog log(scratch.path(), 8, times);
    for (std::size_t begin = 0; begin < rows.pairs.size(); begin += 70001) {
      const std::size_t count = std::min<std::size_t>(70001, rows.pairs.size() - begin);
      log.append({rows.pairs.data() + begin, count},
                 {rows.times.data() + begin, times ? count : 0});
    }
    EXPECT_EQ(log.find_repeats(kUsers, kItems), rows.pairs.size() - wanted.pairs.size());
    for (int again = 0; again < 2; ++again) {
      Rows now;
      log.each_block([&](std::span<const Pair> pairs, std::span<const double> some) {
        now.pairs.insert(now.pairs.end(), pairs.begin(), pairs.end());
        now.times.insert(now.times.end(), some.begin(), some.end());
      });
      EXPECT_EQ(now.pairs, wanted.pairs);
      EXPECT_EQ(now.times, wanted.times);
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << "no name stays behind";
  }
}

}  // namespace
}  // namespace evenkeel::data
