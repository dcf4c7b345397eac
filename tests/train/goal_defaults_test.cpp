// In: a goal and what the user set. Out: defaults that serve the goal, and nothing given is
// changed.
#include <gtest/gtest.h>

#include "train/complete_settings.h"
#include "train/run.h"

namespace evenkeel::train {
namespace {

Settings resolved(std::vector<std::pair<std::string, std::string>> given) {
  Settings settings = run_settings();
  for (const auto& [name, value] : given) settings.set(name, std::string_view(value));
  resolve_defaults(settings);
  return settings;
}

TEST(GoalDefaults, LoggedKeepsItsOwn) {
  const Settings settings = resolved({});
  EXPECT_EQ(settings.text("negatives"), "128");
  EXPECT_FALSE(settings.flag("shared-negatives"));
  EXPECT_EQ(settings.text("margin"), "sigmoid");
  EXPECT_EQ(settings.text("debias"), "0");
}

TEST(GoalDefaults, BalancedTakesManyNegativesAndASmallMargin) {
  for (const char* goal : {"balanced", "both"}) {
    const Settings settings = resolved({{"goal", goal}});
    EXPECT_EQ(settings.text("negatives"), "1024");
    EXPECT_TRUE(settings.flag("shared-negatives"));
    EXPECT_EQ(settings.integer("tile"), 256);
    EXPECT_EQ(settings.text("margin"), "angle");
    EXPECT_EQ(settings.number("margin-strength"), 0.1);
    EXPECT_EQ(settings.text("debias"), "auto");
  }
}

TEST(GoalDefaults, TheTemperatureComesWithTheData) {
  const auto tau = [](std::vector<std::pair<std::string, std::string>> given, std::size_t items) {
    Settings settings = resolved(std::move(given));
    fit_to_data(settings, 100000, items);
    return settings.number("tau");
  };
  EXPECT_EQ(tau({{"goal", "balanced"}}, 1000), 0.25);
  EXPECT_EQ(tau({{"goal", "balanced"}}, 8360), 0.22);
  EXPECT_EQ(tau({{"goal", "both"}}, 18563), 0.15);
  EXPECT_EQ(tau({{"goal", "balanced"}}, 40988), 0.1);
  EXPECT_EQ(tau({{"goal", "balanced"}}, 10000000), 0.1);
  EXPECT_EQ(tau({{"goal", "balanced"}}, 0), 0.25);
  EXPECT_EQ(tau({{"goal", "balanced"}, {"tau", "0.3"}}, 1000), 0.3);
  EXPECT_EQ(tau({}, 1000), 0.1) << "the goal logged keeps its own";
}

TEST(GoalDefaults, WhatIsGivenStays) {
  const Settings settings = resolved({{"goal", "balanced"},
                                      {"tau", "0.3"},
                                      {"margin", "sigmoid"},
                                      {"negatives", "64"},
                                      {"debias", "0.2"}});
  EXPECT_EQ(settings.number("tau"), 0.3);
  EXPECT_EQ(settings.text("margin"), "sigmoid");
  EXPECT_EQ(settings.number("margin-strength"), 0.3) << "that of the margin that was given";
  EXPECT_EQ(settings.text("negatives"), "64");
  EXPECT_FALSE(settings.flag("shared-negatives"));
  EXPECT_EQ(settings.text("debias"), "0.2");
}

TEST(GoalDefaults, AStrengthBelongsToItsMargin) {
  const Settings settings = resolved({{"goal", "balanced"}, {"margin-strength", "1"}});
  EXPECT_EQ(settings.text("margin"), "sigmoid") << "the angle at strength 1 stalls";
}

TEST(GoalDefaults, OtherLossesKeepTheirs) {
  EXPECT_EQ(resolved({{"goal", "balanced"}, {"loss", "bpr"}}).text("negatives"), "1");
  EXPECT_EQ(resolved({{"goal", "both"}, {"loss", "sl-at-k"}}).number("margin-strength"), 0.0);
}

}  // namespace
}  // namespace evenkeel::train
