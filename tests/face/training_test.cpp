// Training through the public face: files, logs in memory, options by name, progress, stops.
#include <gtest/gtest.h>

#include "face/small_logs.h"

namespace evenkeel::testing {
namespace {

TEST(FaceTraining, ALogInMemoryTrainsTheModelOfTheFile) {
  const Scratch scratch;
  const std::string csv = small_csv(), path = scratch.write("log.csv", csv);
  for (const OptionValues& options :
       {kQuick, quick_with({{"split", "none"}}), quick_with({{"refit", "true"}}),
        quick_with({{"k-core", "3"}, {"seed", "7"}, {"split", "balanced"}})}) {
    const std::string file = saved_bytes(train_recommender(path, options).recommender, scratch);
    EXPECT_EQ(saved_bytes(train_recommender(log_of(csv), options).recommender, scratch), file);
    const InteractionLog read = InteractionLog::read(path);
    EXPECT_EQ(saved_bytes(train_recommender(read, options).recommender, scratch), file);
  }
}

TEST(FaceTraining, TimesInMemoryAreThoseOfAColumn) {
  const Scratch scratch;
  std::string csv = small_csv();
  const InteractionLog log = log_of(csv, true);
  std::string timed = "user,item,when\n";
  std::istringstream lines(csv.substr(csv.find('\n') + 1));
  std::string line;
  for (int time = 0; std::getline(lines, line); ++time) {
    timed += line + "," + std::to_string(time) + "\n";
  }
  const std::string path = scratch.write("log.csv", timed);
  const OptionValues temporal = quick_with({{"split", "temporal"}});
  const Recommender memory = train_recommender(log, temporal).recommender;
  const Recommender read =
      train_recommender(InteractionLog::read(path, {{"time-column", "when"}}), temporal)
          .recommender;
  EXPECT_EQ(saved_bytes(memory, scratch), saved_bytes(read, scratch));
  const OptionValues named = quick_with({{"split", "temporal"}, {"time-column", "when"}});
  EXPECT_EQ(memory.recommend("u1"), train_recommender(path, named).recommender.recommend("u1"));
  EXPECT_NE(saved_bytes(memory, scratch),
            saved_bytes(train_recommender(log, kQuick).recommender, scratch));
}

TEST(FaceTraining, ThreadsChangeNothing) {
  const Scratch scratch;
  OptionValues three = kQuick;
  three.back().second = "3";
  EXPECT_EQ(saved_bytes(train_recommender(log_of(small_csv()), three).recommender, scratch),
            saved_bytes(small_recommender(), scratch));
}

TEST(FaceTraining, TellsEveryEpochAndStopsWhenTold) {
  std::vector<int> epochs;
  std::size_t messages = 0;
  bool measured = false;
  TrainingControl control;
  control.on_message = [&](std::string_view) { ++messages; };
  control.on_epoch = [&](const EpochProgress& news) {
    if (news.phase != "train") return false;
    EXPECT_EQ(news.epochs, 9);
    EXPECT_GT(news.loss, 0);
    measured = measured || (news.recall.has_value() && *news.recall >= 0);
    epochs.push_back(news.epoch);
    return news.epoch == 3;
  };
  const TrainingResult result = train_recommender(
      log_of(small_csv()), {{"epochs", "9"}, {"dim", "8"}, {"eval-every", "1"}}, control);
  EXPECT_EQ(epochs, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(result.epochs, 3);
  EXPECT_LE(result.best_epoch, 3);
  EXPECT_GE(result.best_epoch, 1);
  EXPECT_TRUE(measured);
  EXPECT_GT(messages, 0U);
}

TEST(FaceTraining, WhatACallbackThrowsComesOut) {
  TrainingControl control;
  control.on_epoch = [](const EpochProgress&) -> bool { throw std::out_of_range("mine"); };
  EXPECT_THROW(train_recommender(log_of(small_csv()), kQuick, control), std::out_of_range);
}

TEST(FaceTraining, AStoppedRunGoesOnToTheSameModel) {
  const Scratch scratch;
  const std::string path = scratch.write("log.csv", small_csv());
  std::atomic<bool> stop{false};
  TrainingControl control;
  control.out = scratch.path("run");
  control.stop = &stop;
  control.on_epoch = [&](const EpochProgress& news) {
    stop = news.phase == "train" && news.epoch == 2;
    return false;
  };
  failure_of(ErrorKind::kInterrupted, [&] { train_recommender(path, kQuick, control); });
  stop = false;
  control.on_epoch = {};
  control.resume = true;
  train_recommender(path, kQuick, control);
  EXPECT_EQ(saved_bytes(Recommender::load(control.out), scratch),
            saved_bytes(small_recommender(), scratch));
}

TEST(FaceTraining, AFinishedRunIsReplacedOnlyWhenAsked) {
  const Scratch scratch;
  TrainingControl control;
  control.out = scratch.path("run");
  train_recommender(log_of(small_csv()), kQuick, control);
  failure_of(ErrorKind::kConfig, [&] { train_recommender(log_of(small_csv()), kQuick, control); });
  control.overwrite = true;
  train_recommender(log_of(small_csv()), quick_with({{"seed", "5"}}), control);
  EXPECT_NE(saved_bytes(Recommender::load(control.out), scratch),
            saved_bytes(small_recommender(), scratch));
}

TEST(FaceTraining, WrongOptionsAreRefusedByName) {
  const InteractionLog log = log_of(small_csv());
  const auto failure = [&](const OptionValues& options) {
    return failure_of(ErrorKind::kConfig, [&] { train_recommender(log, options); });
  };
  expect_holds(failure({{"epoch", "3"}}), {"epoch", "did you mean 'epochs'"});
  expect_holds(failure({{"epochs", "many"}}), {"option epochs", "'many'", "whole number"});
  expect_holds(failure({{"loss", "bcc"}}), {"option loss", "'bcc'", "bc"});
  expect_holds(failure({{"separator", "tab"}}), {"separator", "in memory"});
  expect_holds(failure({{"split", "temporal"}}), {"temporal", "times"});
  expect_holds(failure({{"split", "none"}}), {"epochs"});
  failure_of(ErrorKind::kConfig, [&] { train_recommender(std::string(), {}); });
}

TEST(FaceTraining, OptionsAreListedWithDefaultsAndChoices) {
  const auto find = [](const std::vector<OptionInfo>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const OptionInfo& info) { return info.name == name; });
    return found == list.end() ? OptionInfo{} : *found;
  };
  const OptionInfo loss = find(training_options(), "loss");
  EXPECT_EQ(loss.default_value, "bc");
  EXPECT_NE(std::find(loss.choices.begin(), loss.choices.end(), "softmax"), loss.choices.end());
  EXPECT_FALSE(loss.help.empty());
  EXPECT_EQ(find(training_options(), "dim").default_value, "64");
  EXPECT_EQ(find(reading_options(), "on-bad-row").choices.size(), 2U);
  EXPECT_EQ(find(reading_options(), "loss").name, "");
  EXPECT_TRUE(version().starts_with("0."));
}

}  // namespace
}  // namespace evenkeel::testing
