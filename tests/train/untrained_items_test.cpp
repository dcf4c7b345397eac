// Items that no training pair names, under the popularity correction: its formula lifts them most,
// so it must be training as negatives that keeps them from flooding lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "rank/correction.h"
#include "rank/recommend.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

constexpr std::size_t kUsers = 300, kTrained = 80, kUntrained = 40;

// The small world with items behind its own that nobody has.
data::Dataset with_untrained_items() {
  data::Dataset world = testing::small_world(kUsers, kTrained);
  std::vector<Pair> train;
  for (Row u = 0; u < kUsers; ++u) {
    for (const Row i : world.items_of.row(u)) train.push_back({u, i});
  }
  data::Ids items = std::move(world.items);
  for (std::size_t n = 0; n < kUntrained; ++n) items.insert("new" + std::to_string(n));
  return data::make_dataset("untrained", std::move(world.users), std::move(items), train, {}, {});
}

// The share of lists of ten that items without training pairs take.
double untrained_share(const TrainedVectors& trained, const data::Dataset& data, double strength) {
  Threads threads(2);
  const auto corrected =
      rank::corrected({trained.users, trained.items, trained.score}, data.item_popularity,
                      {strength, trained.temperature}, threads);
  constexpr std::size_t kLength = 10;
  std::vector<std::int64_t> items(kUsers * kLength);
  std::vector<float> scores(items.size());
  rank::rank_lists({corrected.view(), &data.items_of, {}, kLength}, threads, items, scores);
  const auto untrained = std::count_if(items.begin(), items.end(), [](std::int64_t item) {
    return item >= static_cast<std::int64_t>(kTrained);
  });
  return static_cast<double>(untrained) / static_cast<double>(items.size());
}

TEST(UntrainedItems, DoNotFloodCorrectedLists) {
  const data::Dataset data = with_untrained_items();
  for (const char* loss : {"softmax", "bc"}) {
    Settings settings = run_settings();
    settings.set("loss", std::string_view(loss));
    settings.set("dim", std::string_view("16"));
    settings.set("negatives", std::string_view("32"));
    settings.set("batch", std::string_view("128"));
    settings.set("lr", std::string_view("0.01"));
    settings.set("epochs", std::string_view("20"));
    settings.set("eval-every", std::string_view("1"));
    resolve_defaults(settings);
    Threads threads(2);
    Observer silent;
    const std::atomic<bool> go_on{false};
    Trainer trainer(data, settings, threads);
    trainer.prepare(silent, go_on);
    while (!trainer.done()) trainer.run_epoch(silent, go_on);
    const TrainedVectors trained = trainer.result(silent);
    EXPECT_EQ(untrained_share(trained, data, 0), 0) << loss;
    EXPECT_LT(untrained_share(trained, data, 0.5), 0.05) << loss;
    EXPECT_LT(untrained_share(trained, data, 1), double{kUntrained} / (kTrained + kUntrained))
        << loss;
  }
}

}  // namespace
}  // namespace evenkeel::train
