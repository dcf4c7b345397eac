// A plain log of any size. In: sizes; out: the lines asked for, the same at any thread count.
#include "data/synthetic_log.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/regular_file.h"
#include "data/csr.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

constexpr std::uint64_t kMuch = 1 << 30;

MarketOptions shape(std::uint64_t seed = 1) {
  MarketOptions options;
  options.users = 3000;
  options.items = 2000;
  options.interactions = 300000;
  options.seed = seed;
  return options;
}

std::string text_of(const MarketOptions& options, int count) {
  const testing::Scratch scratch;
  Threads threads(count);
  const std::uint64_t bytes = write_synthetic_log(scratch.path("log.csv"), options, threads);
  std::string text = read_regular_file(scratch.path("log.csv"), kMuch);
  EXPECT_EQ(text.size(), bytes);
  return text;
}

TEST(SyntheticLog, IsTheSameAtAnyThreadCount) {
  const std::string text = text_of(shape(), 1);
  EXPECT_EQ(text, text_of(shape(), 3));
  EXPECT_NE(text, text_of(shape(2), 1));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 300001);
  EXPECT_TRUE(text.starts_with("user,item\nu"));
}

TEST(SyntheticLog, HasALongTailAndTastes) {
  const testing::Scratch scratch;
  Threads threads(2);
  write_synthetic_log(scratch.path("log.csv"), shape(), threads);
  const Interactions log = read_interactions(scratch.path("log.csv"), {}, threads);
  EXPECT_EQ(log.users.size(), 3000U);
  EXPECT_EQ(log.items.size(), 2000U);
  const auto share_of_first = [&](auto id_of, std::uint32_t first) {
    const auto count = std::count_if(log.pairs.begin(), log.pairs.end(), [&](const Pair& pair) {
      return std::stoul(std::string(id_of(pair).substr(1))) < first;
    });
    return static_cast<double>(count) / static_cast<double>(log.pairs.size());
  };
  // A tenth of the users makes sqrt(0.1) of the lines, a tenth of the items cbrt(0.1) of its half;
  // less here, because pairs that repeat were merged.
  const auto user = [&](const Pair& pair) { return log.users.text(pair.user); };
  const auto item = [&](const Pair& pair) { return log.items.text(pair.item); };
  EXPECT_NEAR(share_of_first(user, 300), 0.316, 0.06);
  EXPECT_NEAR(share_of_first(item, 200), 0.5 * 0.464 + 0.5 * 0.1, 0.06);
  // Half of the lines stay within the user's block of 500 items, and a quarter of the others.
  const auto own = std::count_if(log.pairs.begin(), log.pairs.end(), [&](const Pair& pair) {
    const auto number = [](std::string_view id) { return std::stoul(std::string(id.substr(1))); };
    return number(log.items.text(pair.item)) / 500 == number(log.users.text(pair.user)) % 4;
  });
  EXPECT_NEAR(static_cast<double>(own) / static_cast<double>(log.pairs.size()), 0.625, 0.06);
}

}  // namespace
}  // namespace evenkeel::data
