// In: train --auto, stopped, refused, or met by another. Out: a search that goes on, one writer in
// a folder, and nothing left of what was refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

class Auto : public ::testing::Test {
 protected:
  void SetUp() override { write_text(folder_ / "log.csv", tiny_log(120, 60, 20)); }
  std::string run() { return folder_ / "run"; }
  std::vector<std::string> words(std::vector<std::string> more) {
    std::vector<std::string> words{"train",       folder_ / "log.csv",
                                   "--out",       run(),
                                   "--dim",       "8",
                                   "--epochs",    "20",
                                   "--batch",     "64",
                                   "--negatives", "8",
                                   "--threads",   "1",
                                   "--patience",  "100"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  nlohmann::json result() { return nlohmann::json::parse(read_text(run() + "/result.json")); }
  // Stops a search once a setting of it has been tried; `place` is where it writes.
  void stop_search(const std::vector<std::string>& more, const std::string& place) {
    Running search(words(more));
    ASSERT_TRUE(search.wait_until([&] {
      const std::string err = search.err();
      return contains(err, "[2/") && fs::exists(place + "/auto/pending.json");
    })) << search.err();
    search.send(SIGINT);
    const Finished stopped = search.wait();
    ASSERT_EQ(stopped.exit_code, 4) << stopped.err;
    EXPECT_TRUE(contains(stopped.err, "--resume")) << stopped.err;
  }

  TempFolder folder_;
};

TEST_F(Auto, AStoppedSearchThatOverwritesGoesOn) {
  ASSERT_EQ(run_binary(words({})).exit_code, 0);
  const auto before = bytes_of(run());
  const std::vector<std::string> search{"--auto", "--overwrite", "--dim", "16", "--epochs", "300"};
  stop_search(search, run() + "/.replacement");
  auto after = bytes_of(run());
  std::erase_if(after, [](const auto& file) { return contains(file.first, ".replacement"); });
  EXPECT_TRUE(after == before) << "the old run stays until the new one is whole";
  std::vector<std::string> again = search;
  again.emplace_back("--resume");
  const Finished resumed = run_binary(words(again));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "chose tau")) << resumed.err;
  EXPECT_EQ(result()["config"]["dim"], 16);
  EXPECT_TRUE(fs::exists(run() + "/auto/trials.json"));
  EXPECT_FALSE(fs::exists(run() + "/auto/pending.json"));
  EXPECT_FALSE(fs::exists(run() + "/auto/tune"));
  EXPECT_FALSE(fs::exists(run() + "/.replacement"));
}

TEST_F(Auto, ABareResumeGoesOnWithTheSearch) {
  stop_search({"--auto", "--budget", "6", "--epochs", "300"}, run());
  const Finished resumed = run_binary({"train", "--resume", "--out", run()});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "the best of 6 settings")) << resumed.err;
  EXPECT_EQ(result()["config"]["epochs"], 300);
}

TEST_F(Auto, AStoppedTrainingOfTheChoiceGoesOnWithIt) {
  Running training(words({"--auto", "--budget", "2", "--epochs", "400", "--checkpoint-seconds", "0",
                          "--negatives", "64", "--refit"}));
  ASSERT_TRUE(training.wait_until([&] {
    return fs::exists(run() + "/refit-checkpoint.safetensors");
  })) << training.err();
  training.send(SIGINT);
  const Finished stopped = training.wait();
  ASSERT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(contains(read_text(run() + "/auto/pending.json"), "chosen"));
  const Finished resumed = run_binary({"train", "--resume", "--out", run()});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "which the search chose")) << resumed.err;
  EXPECT_FALSE(fs::exists(run() + "/auto/pending.json"));
}

TEST_F(Auto, ASearchHoldsItsFolder) {
  Running search(words({"--auto", "--epochs", "3000"}));
  ASSERT_TRUE(search.wait_until([&] { return fs::exists(run() + "/auto/pending.json"); }));
  expect_error(run_binary(words({"--auto"})), 1, {"another command"});
  expect_error(run_binary(words({})), 1, {"another command"});
  search.send(SIGINT);
  EXPECT_EQ(search.wait().exit_code, 4);
}

TEST_F(Auto, WhatIsRefusedLeavesNothing) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--split", "none"},
                                             {"--split", "none", "--refit"},
                                             {"--negatives", "in-batch", "--shared-negatives"}}) {
    std::vector<std::string> asked = more;
    asked.emplace_back("--auto");
    const Finished refused = run_binary(words(asked));
    expect_error(refused, 2, {more[0]});
    EXPECT_FALSE(contains(refused.err, "[1/")) << refused.err;
    EXPECT_FALSE(fs::exists(run()));
  }
  const Finished none = run_binary({"train", folder_ / "nope.csv", "--auto", "--out", run()});
  expect_error(none, 3, {"nope.csv", "no such file"});
  EXPECT_FALSE(contains(none.err, "--data-root")) << none.err;
  expect_error(run_binary({"sweep", folder_ / "log.csv", "--out", run(), "--split", "none",
                           "--epochs", "3", "--space", "tau=0.1,0.2"}),
               2, {"--split none", "validation"});
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(Auto, ARunThatNoSearchBeganIsNotTakenForOne) {
  ASSERT_EQ(run_binary(words({})).exit_code, 0);
  const auto before = bytes_of(run());
  expect_error(run_binary(words({"--auto", "--resume"})), 2, {"--auto did not begin"});
  EXPECT_TRUE(bytes_of(run()) == before);
}

}  // namespace
}  // namespace evenkeel::testing
