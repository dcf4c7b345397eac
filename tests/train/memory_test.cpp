// In: a data set in memory. Out: the same model as from its folder, and one after any stop.
#include <gtest/gtest.h>

#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

Settings small_settings() {
  Settings settings = run_settings();
  settings.set("dim", std::string_view("8"));
  settings.set("epochs", std::string_view("3"));
  settings.set("negatives", std::string_view("4"));
  settings.set("threads", std::string_view("1"));
  return settings;
}

struct StopsAtOnce : Observer {
  bool on_epoch(const EpochProgress&) override { return true; }
};

TEST(FitModel, WritesNothingAndDescribesTheModel) {
  Observer observer;
  const std::atomic<bool> stop{false};
  const data::Dataset data = testing::small_world(60, 40);
  const FinishedRun run = fit_model({}, data, small_settings(), observer, stop);
  EXPECT_EQ(run.model.users.rows(), 60U);
  EXPECT_EQ(run.model.item_ids.text(3), data.items.text(3));
  EXPECT_TRUE(run.result["evaluations"].contains("test"));
  EXPECT_FALSE(run.result.contains("data"));
}

// While the extractor trains there is no model yet, so the loss here has none.
TEST(FitModel, EveryStopLeavesAModel) {
  const data::Dataset data = testing::small_world(60, 40);
  Settings settings = small_settings();
  settings.set("loss", std::string_view("softmax"));
  settings.set("eval-every", std::string_view("1000"));
  Observer observer;
  const std::atomic<bool> pressed{true}, not_pressed{false};
  StopsAtOnce impatient;
  const FinishedRun cut = fit_model({}, data, settings, observer, pressed);
  const FinishedRun told = fit_model({}, data, settings, impatient, not_pressed);
  EXPECT_EQ(cut.model.users.rows(), 60U);
  EXPECT_EQ(told.model.users.rows(), 60U);
  EXPECT_EQ(told.result["best_epoch"], 1);
}

}  // namespace
}  // namespace evenkeel::train
