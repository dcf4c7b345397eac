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

TEST(GoalDefaults, LoggedTakesAPlainSoftmax) {
  const Settings settings = resolved({});
  EXPECT_EQ(settings.text("loss"), "softmax");
  EXPECT_EQ(settings.text("negatives"), "512");
  EXPECT_TRUE(settings.flag("shared-negatives"));
  EXPECT_EQ(settings.integer("tile"), 256);
  EXPECT_EQ(settings.number("lr"), 0.002);
  EXPECT_EQ(settings.integer("patience"), 5);
  EXPECT_EQ(settings.text("debias"), "0");
}

TEST(GoalDefaults, WhoAsksForMarginsGetsThem) {
  const Settings named = resolved({{"loss", "bc"}});
  EXPECT_EQ(named.text("margin"), "angle");
  EXPECT_EQ(named.number("margin-strength"), 0.1);
  for (const char* option : {"margin-strength", "tau-extractor", "extractor-epochs"}) {
    EXPECT_EQ(resolved({{option, "1"}}).text("loss"), "bc") << option;
  }
  EXPECT_EQ(resolved({{"negative-weight", "1.1"}}).text("loss"), "softmax");
  EXPECT_EQ(resolved({{"margin", "sigmoid"}}).number("margin-strength"), 0.3);
}

TEST(GoalDefaults, NegativesThatAreGivenAreOwnOnes) {
  const Settings settings = resolved({{"negatives", "128"}});
  EXPECT_FALSE(settings.flag("shared-negatives"));
  EXPECT_EQ(settings.integer("tile"), 64);
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
    EXPECT_EQ(settings.text("loss"), "bc");
    EXPECT_EQ(settings.number("lr"), 0.001);
  }
}

TEST(GoalDefaults, TheTemperatureComesWithTheData) {
  const auto tau = [](std::vector<std::pair<std::string, std::string>> given, std::size_t pairs) {
    Settings settings = resolved(std::move(given));
    fit_to_data(settings, pairs);
    return settings.number("tau");
  };
  EXPECT_EQ(tau({}, 0), 0.25);
  EXPECT_EQ(tau({}, 10000), 0.25);
  EXPECT_EQ(tau({}, 90000), 0.2);
  EXPECT_EQ(tau({{"goal", "balanced"}}, 160000), 0.16);
  EXPECT_EQ(tau({{"goal", "both"}}, 400000), 0.12);
  EXPECT_EQ(tau({}, std::size_t{10} << 30), 0.12);
  EXPECT_EQ(tau({{"tau", "0.3"}}, 1000), 0.3);
  EXPECT_EQ(tau({{"loss", "bpr"}}, 1000), 0.1) << "which has no temperature";
}

TEST(GoalDefaults, RowsOfAnotherRunMoveAtHalfTheRate) {
  EXPECT_EQ(resolved({{"from", "run"}}).number("lr"), 0.001);
  EXPECT_EQ(resolved({{"from", "run"}, {"goal", "both"}}).number("lr"), 0.0005);
  EXPECT_EQ(resolved({{"from", "run"}, {"lr", "0.002"}}).number("lr"), 0.002);
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
