// In: configurations. Out: methods with names, and sweeps.
#include "report/methods.h"

#include <gtest/gtest.h>

namespace evenkeel::report {
namespace {

using nlohmann::json;

RunRecord run_with(json config) {
  RunRecord run;
  run.config = std::move(config);
  return run;
}

TEST(Methods, SeedsOfOneConfigurationAreOneMethod) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"seed", 1}, {"threads", 2}}),
      run_with({{"loss", "bpr"}, {"tau", 0.1}, {"seed", 1}}),
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"seed", 2}, {"threads", 1}}),
  };
  const auto groups = group_methods(runs, {0, 1, 2});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].label, "bc");
  EXPECT_EQ(groups[0].runs, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(groups[1].label, "bpr");
}

TEST(Methods, NamesSayWhatDiffers) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"margin", "angle"}, {"dim", 8}}),
      run_with({{"loss", "bc"}, {"tau", 0.2}, {"margin", "angle"}, {"dim", 8}}),
      run_with({{"loss", "softmax"}, {"tau", 0.3}, {"margin", "angle"}, {"dim", 8}}),
  };
  const auto groups = group_methods(runs, {0, 1, 2});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].label, "bc (tau 0.1)");
  EXPECT_EQ(groups[1].label, "bc (tau 0.2)");
  EXPECT_EQ(groups[2].label, "softmax");
}

TEST(Methods, NamesBeginWithWhatDiffers) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"name", ""}}),
      run_with({{"loss", "bc"}, {"tau", 0.2}, {"name", ""}}),
  };
  const auto groups = group_methods(runs, {0, 1});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].label, "tau 0.1 (bc)");
  EXPECT_EQ(groups[1].label, "tau 0.2 (bc)");
}

// A grid of two options, one run with another encoder, one with a name: what nearly all share is
// not said, and the option with more values comes first, for names are cut at the right.
TEST(Methods, NamesOfAGridLeaveOutWhatNearlyAllShare) {
  std::vector<RunRecord> runs;
  for (const double tau : {0.1, 0.2, 0.3}) {
    for (const double margin : {0.5, 1.0}) {
      runs.push_back(run_with(
          {{"encoder", "mf"}, {"loss", "bc"}, {"lr", 0.001}, {"margin", margin}, {"tau", tau}}));
    }
  }
  runs.push_back(run_with(
      {{"encoder", "lightgcn"}, {"loss", "bc"}, {"lr", 0.001}, {"margin", 0.5}, {"tau", 0.1}}));
  runs.push_back(run_with({{"encoder", "mf"}, {"loss", "bc"}, {"lr", 0.5}, {"name", "ours"}}));
  runs.push_back(run_with({{"loss", "bpr"}}));
  const auto groups = group_methods(runs, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_EQ(groups.size(), 9U);
  EXPECT_EQ(groups[0].label, "bc (tau 0.1)") << "most have margin 0.5";
  EXPECT_EQ(groups[3].label, "bc (margin 1.0, tau 0.2)");
  EXPECT_EQ(groups[6].label, "bc (encoder lightgcn, tau 0.1)");
  EXPECT_EQ(groups[7].label, "ours");
  EXPECT_EQ(groups[8].label, "bpr");
}

TEST(Methods, AGivenNameIsTheLabel) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"name", "ours"}, {"seed", 1}}),
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"name", "ours"}, {"seed", 2}}),
      run_with({{"loss", "bc"}, {"tau", 0.2}, {"name", "ours"}, {"seed", 1}}),
      run_with({{"loss", "softmax"}, {"tau", 0.1}, {"name", ""}, {"seed", 1}}),
  };
  const auto groups = group_methods(runs, {0, 1, 2, 3});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].label, "ours");
  EXPECT_EQ(groups[0].runs.size(), 2U);
  EXPECT_EQ(groups[1].label, "ours #2") << "two settings under one name stay two methods";
  EXPECT_EQ(groups[2].label, "softmax");
}

TEST(Sweeps, ANameIsNoAxis) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"name", "cold"}}),
      run_with({{"loss", "bc"}, {"tau", 0.2}, {"name", "warm"}}),
  };
  const auto sweeps = find_sweeps(runs, {0, 1});
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].key, "tau");
}

TEST(Sweeps, ThoseOfOneLossSayWhatElseDiffers) {
  std::vector<RunRecord> runs;
  for (const double tau : {0.1, 0.2}) {
    for (const double margin : {0.5, 1.0}) {
      runs.push_back(run_with(
          {{"encoder", "mf"}, {"loss", "bc"}, {"lr", 0.001}, {"margin", margin}, {"tau", tau}}));
    }
  }
  const auto sweeps = find_sweeps(runs, {0, 1, 2, 3});
  ASSERT_EQ(sweeps.size(), 4U);
  EXPECT_EQ(sweeps[0].method, "bc with mf, tau 0.1");
  EXPECT_EQ(sweeps[3].method, "bc with mf, margin 1.0");
}

TEST(Sweeps, RunsThatDifferInOneOption) {
  const std::vector<RunRecord> runs{
      run_with({{"loss", "bc"}, {"tau", 0.5}, {"negatives", "64"}, {"seed", 1}}),
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"negatives", "64"}, {"seed", 1}}),
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"negatives", "64"}, {"seed", 2}}),
      run_with({{"loss", "bc"}, {"tau", 0.1}, {"negatives", "8"}, {"seed", 1}}),
      run_with({{"loss", "softmax"}, {"tau", 0.9}, {"negatives", "64"}, {"seed", 1}}),
  };
  const auto sweeps = find_sweeps(runs, {0, 1, 2, 3, 4});
  ASSERT_EQ(sweeps.size(), 2U);
  EXPECT_EQ(sweeps[0].key, "negatives");
  EXPECT_TRUE(sweeps[0].numeric) << "numbers in quotes";
  EXPECT_EQ(sweeps[0].places[0].value, 8);
  EXPECT_EQ(sweeps[1].key, "tau");
  ASSERT_EQ(sweeps[1].places.size(), 2U);
  EXPECT_EQ(sweeps[1].places[0].runs, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(sweeps[1].places[1].value, 0.5);
  EXPECT_TRUE(find_sweeps(runs, {}).empty());
}

}  // namespace
}  // namespace evenkeel::report
