// Training as a whole: it learns, stops early, is the same at any thread count and after a
// checkpoint, and the extractor follows popularity.
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "train/checkpoint.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

using testing::kGoOn;
using testing::small_world;

Settings quick_settings(const std::string& loss) {
  Settings settings = run_settings();
  settings.set("loss", std::string_view(loss));
  settings.set("dim", std::string_view("16"));
  settings.set("batch", std::string_view("128"));
  settings.set("lr", std::string_view("0.01"));
  settings.set("epochs", std::string_view("12"));
  if (loss != "bpr" && loss != "bce") settings.set("negatives", std::string_view("16"));
  settings.set("eval-every", std::string_view("1"));
  resolve_defaults(settings);
  return settings;
}

struct Outcome {
  std::string users, items;
  double best_figure = 0;
  std::vector<std::string> events;
};

std::string bytes_of(const Matrix& matrix) {
  return {reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float)};
}

Outcome outcome_of(Trainer& trainer) {
  return {bytes_of(trainer.best(Side::kUser)), bytes_of(trainer.best(Side::kItem)),
          trainer.state().best_figure, trainer.state().events};
}

Outcome train(const data::Dataset& data, const Settings& settings, int workers) {
  Threads threads(workers);
  Observer silent;
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
  return outcome_of(trainer);
}

class EveryLoss : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryLoss, LearnsAndIsTheSameAtAnyThreadCount) {
  const data::Dataset data = small_world(240, 80);
  const Settings settings = quick_settings(GetParam());
  const Outcome one = train(data, settings, 1);
  EXPECT_GT(one.best_figure, 0.5);  // 20 of 80 items by chance: 0.25
  for (const int workers : {2, 5}) {
    const Outcome other = train(data, settings, workers);
    EXPECT_TRUE(one.users == other.users) << workers << " threads";
    EXPECT_TRUE(one.items == other.items) << workers << " threads";
  }
  Settings another_seed = settings;
  another_seed.set("seed", std::string_view("2"));
  EXPECT_FALSE(train(data, another_seed, 1).users == one.users);
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss,
                         ::testing::Values("bc", "softmax", "sl-at-k", "psl", "warp", "bpr", "bce",
                                           "ccl"));

// Stops the training after a number of steps, as Ctrl-C would.
class StopAfter final : public Observer {
 public:
  StopAfter(int steps, std::atomic<bool>& stop) : left_(steps), stop_(stop) {}
  void on_step(const StepProgress& news) override {
    if (news.phase == "train" && --left_ == 0) stop_ = true;
  }

 private:
  int left_;
  std::atomic<bool>& stop_;
};

TEST(Checkpoint, AResumedTrainingEndsBitIdentical) {
  const data::Dataset data = small_world(200, 60);
  for (const std::string loss : {"bc", "bpr", "sl-at-k", "softmax"}) {
    Settings settings = quick_settings(loss);
    settings.set("threshold-epochs", std::string_view("3"));
    if (loss == "bpr") {  // the rate falls after each epoch without gain
      settings.set("lr-decay", std::string_view("0.5"));
      settings.set("patience", std::string_view("2"));
    }
    if (loss == "bc") settings.set("average", std::string_view("3"));
    if (loss == "softmax") {  // several batches in a step
      settings.set("negatives", std::string_view("in-batch"));
      settings.set("batch", Value(settings.integer("batch") / 2));
      settings.set("accumulate", std::string_view("2"));
    }
    const Outcome whole = train(data, settings, 2);
    const std::string path =
        (std::filesystem::temp_directory_path() / ("evenkeel_resume_" + loss)).string();
    for (const int steps : {1, 13, 14, 50}) {
      Threads threads(2);
      {
        std::atomic<bool> stop{false};
        StopAfter observer(steps, stop);
        Trainer trainer(data, settings, threads);
        trainer.prepare(observer, stop);
        while (!trainer.done() && !trainer.interrupted()) trainer.run_epoch(observer, stop);
        ASSERT_TRUE(trainer.interrupted());
        save_checkpoint(trainer, settings, data, "", path);
      }
      Observer silent;
      Trainer trainer(data, settings, threads);
      restore_checkpoint(trainer, settings, data, path);
      while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
      const Outcome resumed = outcome_of(trainer);
      EXPECT_TRUE(whole.users == resumed.users) << loss << " after " << steps << " steps";
      EXPECT_TRUE(whole.items == resumed.items) << loss << " after " << steps << " steps";
      EXPECT_EQ(whole.events.size(), resumed.events.size());
    }
    std::filesystem::remove(path);
  }
}

TEST(Checkpoint, OtherSettingsOrDataAreRefused) {
  const data::Dataset data = small_world(60, 40);
  Settings settings = quick_settings("softmax");
  const std::string path =
      (std::filesystem::temp_directory_path() / "evenkeel_other_settings").string();
  Threads threads(1);
  Observer silent;
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  trainer.run_epoch(silent, kGoOn);
  save_checkpoint(trainer, settings, data, "", path);

  const auto refusal = [&](const Settings& now, const data::Dataset& other) -> std::string {
    try {
      Trainer fresh(other, now, threads);
      restore_checkpoint(fresh, now, other, path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kConfig);
      return error.what();
    }
    return "";
  };
  Settings hotter = settings;
  hotter.set("tau", std::string_view("0.2"));
  EXPECT_NE(refusal(hotter, data).find("--tau is 0.2"), std::string::npos);
  EXPECT_NE(refusal(settings, small_world(60, 40, 4, 2)).find("data"), std::string::npos);
  Settings longer = settings;
  longer.set("epochs", std::string_view("50"));
  EXPECT_EQ(refusal(longer, data), "");
  std::filesystem::remove(path);
}

TEST(Trainer, StopsWhenPatienceIsSpentAndKeepsTheBestEpoch) {
  const data::Dataset data = small_world(120, 40);
  Settings settings = quick_settings("softmax");
  settings.set("epochs", std::string_view("400"));
  settings.set("patience", std::string_view("3"));
  Threads threads(1);
  Observer silent;
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
  const TrainingState& state = trainer.state();
  EXPECT_LT(state.events.size(), 400U);
  EXPECT_EQ(static_cast<int>(state.events.size()), state.best_epoch + 3);
  eval::Evaluator evaluator(data, data.valid);
  const auto again = evaluator.quick(
      {trainer.best(Side::kUser), trainer.best(Side::kItem), model::Score::kCosine}, 20, threads);
  EXPECT_EQ(again.recall, state.best_figure);
}

// There is no mean of validations yet.
TEST(Trainer, StoppedBeforeItsFirstValidationItGivesWhatItHas) {
  const data::Dataset data = small_world(240, 80);
  Settings settings = quick_settings("softmax");
  settings.set("average", std::string_view("2"));
  Threads threads(1);
  Observer silent;
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  const std::string before = bytes_of(trainer.encoder().table(Side::kItem));
  EXPECT_EQ(bytes_of(trainer.result(silent).items), before);
}

TEST(Trainer, AUserWithEveryItemTakesNoPart) {
  data::Ids users, items;
  for (const char* id : {"a", "b"}) users.insert(id);
  for (const char* id : {"x", "y", "z"}) items.insert(id);
  const data::Dataset data =
      data::make_dataset("full", users, items, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}, {}, {});
  Threads threads(1);
  Observer silent;
  Settings settings = quick_settings("bpr");
  settings.set("epochs", std::string_view("2"));
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  const Matrix before = trainer.encoder().table(Side::kUser);
  while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
  EXPECT_EQ(std::memcmp(before.row(0), trainer.best(Side::kUser).row(0), 16 * sizeof(float)), 0);
  EXPECT_NE(std::memcmp(before.row(1), trainer.best(Side::kUser).row(1), 16 * sizeof(float)), 0);
}

// Its row would stay as random as it began; the mean of the others ranks what they like.
TEST(Trainer, AUserWithoutTrainingItemsStandsAtTheMeanOfTheOthers) {
  const data::Dataset world = small_world(40, 32);
  std::vector<Pair> pairs;
  for (Row u = 0; u < 40; ++u) {
    for (const Row i : world.items_of.row(u)) pairs.push_back({u, i});
  }
  data::Ids users = world.users;
  users.insert("stranger");
  const data::Dataset data =
      data::make_dataset("small", users, world.items, pairs, {{40, 0}, {3, 31}}, {});
  for (const std::string encoder : {"mf", "lightgcn"}) {
    Settings settings = quick_settings("softmax");
    settings.set("encoder", std::string_view(encoder));
    Threads threads(2);
    Observer silent;
    Trainer trainer(data, settings, threads);
    trainer.prepare(silent, kGoOn);
    while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
    const Matrix& vectors = trainer.best(Side::kUser);
    for (std::size_t c = 0; c < vectors.dim(); ++c) {
      double mean = 0;
      for (std::size_t u = 0; u < 40; ++u) mean += double{vectors.row(u)[c]} / 40;
      EXPECT_NEAR(double{vectors.row(40)[c]}, mean, 1e-6) << encoder;
    }
  }
}

class EveryExtractor : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Extractors, EveryExtractor, ::testing::Values("classes", "sampled"));

TEST_P(EveryExtractor, PopularItemsGetSmallerMargins) {
  const data::Dataset data = small_world(400, 80);
  Settings settings = quick_settings("bc");
  settings.set("margin", std::string_view("angle"));
  settings.set("extractor", std::string_view(GetParam()));
  settings.set("extractor-epochs", std::string_view("20"));
  Threads threads(2);
  Observer silent;
  const ExtractorTables tables = train_extractor(data, settings, threads, silent, kGoOn);
  const loss::Margins margins = make_margins(data, settings, tables);
  const auto& popularity = data.item_popularity;
  const Row head =
      static_cast<Row>(std::max_element(popularity.begin(), popularity.end()) - popularity.begin());
  const Row tail =
      static_cast<Row>(std::min_element(popularity.begin(), popularity.end()) - popularity.begin());
  EXPECT_LT(margins.of(0, head).angle, margins.of(0, tail).angle);
}

// Counts the epochs of extractors.
class ExtractorEpochs : public Observer {
 public:
  bool on_epoch(const EpochProgress& news) override {
    if (news.phase == "extractor") ++epochs;
    return false;
  }
  int epochs = 0;
};

// The extractor of a run that takes it from `shared`, as bytes.
std::string shared_extractor(const data::Dataset& data, const Settings& settings,
                             SharedExtractors& shared, Observer& observer) {
  Threads threads(1);
  Trainer trainer(data, settings, threads);
  trainer.prepare(observer, kGoOn, &shared);
  return bytes_of(trainer.extractor().users) + bytes_of(trainer.extractor().items);
}

TEST(SharedExtractors, RunsThatDifferInTemperatureAndMarginTrainOne) {
  const data::Dataset data = small_world(80, 40);
  Settings settings = quick_settings("bc");
  settings.set("extractor", std::string_view("sampled"));
  settings.set("extractor-epochs", std::string_view("2"));
  SharedExtractors shared;
  ExtractorEpochs counter;
  const std::string first = shared_extractor(data, settings, shared, counter);
  settings.set("tau", std::string_view("0.3"));
  settings.set("margin", std::string_view("angle"));
  settings.set("margin-strength", std::string_view("0.2"));
  EXPECT_EQ(shared_extractor(data, settings, shared, counter), first);
  EXPECT_EQ(counter.epochs, 2);
  SharedExtractors fresh;
  EXPECT_EQ(shared_extractor(data, settings, fresh, counter), first) << "tau or margin is seen";
}

TEST(SharedExtractors, WhatAnExtractorSeesMakesAnother) {
  const data::Dataset data = small_world(80, 40);
  Settings settings = quick_settings("bc");
  settings.set("extractor", std::string_view("sampled"));
  SharedExtractors shared;
  ExtractorEpochs counter;
  const std::string first = shared_extractor(data, settings, shared, counter);
  for (const auto& [name, value] : std::map<std::string, std::string>{{"lr", "0.02"},
                                                                      {"seed", "2"},
                                                                      {"tau-extractor", "0.3"},
                                                                      {"batch", "64"},
                                                                      {"extractor", "classes"}}) {
    Settings other = settings;
    other.set(name, std::string_view(value));
    EXPECT_NE(shared_extractor(data, other, shared, counter), first) << name;
  }
  EXPECT_NE(shared_extractor(small_world(80, 40, 4, 2), settings, shared, counter), first);
}

TEST(SharedExtractors, AFailedTrainingLeavesNothingBehind) {
  const data::Dataset data = small_world(80, 40);
  const Settings settings = quick_settings("bc");
  SharedExtractors shared;
  Observer silent;
  const std::atomic<bool> stop{true};
  Threads threads(1);
  Trainer trainer(data, settings, threads);
  EXPECT_THROW(trainer.prepare(silent, stop, &shared), Error);
  EXPECT_FALSE(shared_extractor(data, settings, shared, silent).empty());
}

}  // namespace
}  // namespace evenkeel::train
