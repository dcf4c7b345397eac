// One process as a cluster of one, and how work is cut among many.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cluster/agreement.h"
#include "cluster/cluster.h"
#include "cluster/shares.h"

namespace evenkeel::cluster {
namespace {

TEST(Alone, HasWhatItHad) {
  Cluster& one = alone();
  EXPECT_TRUE(one.alone() && one.first());
  std::vector<int> values{1, 2, 3}, got(3);
  const std::vector<std::size_t> cuts{0, 12};
  one.gather_all(values.data(), cuts);
  one.exchange(values.data(), cuts, got.data(), cuts);
  EXPECT_EQ(got, values);
  Shares(one).share({share_of(std::span(values), std::vector<std::size_t>{0, 3})});
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(any(one, true));
  EXPECT_FALSE(any(one, false));
  EXPECT_EQ(text_of_first(one, "here"), "here");
}

TEST(Alone, ErrorsPass) {
  EXPECT_THROW(together(alone(), [] { fail_data("bad"); }), Error);
  EXPECT_THROW(on_first_rank(alone(), [] { fail_data("bad"); }), Error);
  check_alike(alone(), {{"--lr", "1"}});
}

TEST(EvenCuts, CoverAllInWholeGrains) {
  for (const std::size_t size : {0, 1, 63, 64, 65, 1000, 2048}) {
    for (const std::size_t grain : {1, 6, 64}) {
      for (const int ranks : {1, 2, 3, 5, 64}) {
        const auto cuts = even_cuts(size, grain, ranks);
        ASSERT_EQ(cuts.size(), static_cast<std::size_t>(ranks) + 1);
        EXPECT_EQ(cuts.front(), 0U);
        EXPECT_EQ(cuts.back(), size);
        for (int r = 0; r < ranks; ++r) {
          const auto at = static_cast<std::size_t>(r);
          EXPECT_LE(cuts[at], cuts[at + 1]);
          EXPECT_TRUE(cuts[at] % grain == 0 || cuts[at] == size);
          EXPECT_LE(cuts[at + 1] - cuts[at],
                    ((size + grain - 1) / grain / static_cast<std::size_t>(ranks) + 1) * grain);
        }
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::cluster
