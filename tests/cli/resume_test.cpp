// In: runs that have ended, and --resume with this and that. Out: a longer training, or a refusal;
// a record never says what did not happen.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

class Resume : public ::testing::Test {
 protected:
  void SetUp() override { write_text(folder_ / "log.csv", tiny_log(60, 36, 15)); }
  std::string run(const std::string& name = "run") { return folder_ / name; }
  Finished train(std::vector<std::string> more, const std::string& name = "run") {
    std::vector<std::string> words{
        "train", folder_ / "log.csv", "--out", run(name), "--epochs", "4",         "--dim",
        "8",     "--negatives",       "4",     "--lr",    "0.01",     "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  }
  Finished resume(std::vector<std::string> more, const std::string& name = "run") {
    std::vector<std::string> words{"train", "--resume", "--out", run(name)};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  }

  TempFolder folder_;
};

TEST_F(Resume, WhatTrainsNothingWritesNothing) {
  for (const std::vector<std::string>& kind :
       std::vector<std::vector<std::string>>{{}, {"--checkpoint-seconds", "-1"}}) {
    ASSERT_EQ(train(kind, "once").exit_code, 0);
    const auto before = bytes_of(run("once"));
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
             {}, {"--patience", "3"}, {"--name", "mine"}, {"--threads", "2"}}) {
      std::vector<std::string> again = kind;
      again.emplace_back("--resume");
      again.insert(again.end(), more.begin(), more.end());
      const Finished idle = train(again, "once");
      EXPECT_EQ(idle.exit_code, 0) << idle.err;
      EXPECT_TRUE(contains(idle.err, "nothing left to train")) << idle.err;
      EXPECT_FALSE(contains(idle.err, "going on")) << idle.err;
      EXPECT_TRUE(bytes_of(run("once")) == before) << (more.empty() ? "" : more[0]);
    }
    expect_error(train({"--resume", "--epochs", "2"}, "once"), 2, {"epoch"});
    EXPECT_TRUE(bytes_of(run("once")) == before);
    fs::remove_all(run("once"));
  }
}

TEST_F(Resume, FewerEpochsThanAreTrainedAreRefused) {
  ASSERT_EQ(train({}).exit_code, 0);
  expect_error(resume({"--epochs", "3"}), 2, {"--epochs is 3", "has trained 4", "--overwrite"});
  const Finished longer = resume({"--epochs", "6"});
  ASSERT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_TRUE(contains(longer.err, "--epochs 6 instead of 4")) << longer.err;
  EXPECT_EQ(nlohmann::json::parse(read_text(run() + "/result.json"))["epochs"], 6);
}

TEST_F(Resume, ARunThatPatienceEndedKeepsItsRecord) {
  ASSERT_EQ(train({"--epochs", "200", "--patience", "1", "--lr", "0.5"}).exit_code, 0);
  const auto before = bytes_of(run());
  const auto result = nlohmann::json::parse(read_text(run() + "/result.json"));
  ASSERT_LT(result["epochs"].get<int>(), 200);
  const Finished idle = resume({"--epochs", "250"});
  EXPECT_EQ(idle.exit_code, 0) << idle.err;
  EXPECT_TRUE(contains(idle.err, "without --epochs 250")) << idle.err;
  EXPECT_TRUE(bytes_of(run()) == before);
}

TEST_F(Resume, ARefitGoesByTheEpochThatItChose) {
  ASSERT_EQ(train({"--refit"}).exit_code, 0);
  const auto before = bytes_of(run());
  expect_error(resume({"--epochs", "20"}), 2, {"--epochs is 20", "--refit", "--overwrite"});
  expect_error(resume({"--patience", "3"}), 2, {"--patience is 3", "--refit"});
  EXPECT_EQ(resume({}).exit_code, 0);
  EXPECT_EQ(train({"--refit", "--resume"}).exit_code, 0);
  EXPECT_TRUE(bytes_of(run()) == before);
}

TEST_F(Resume, TheWayToAllOfTheLogIsOneThatWorks) {
  ASSERT_EQ(train({}).exit_code, 0);
  const Finished idle = resume({});
  const std::string way = "evenkeel train " + (folder_ / "log.csv") + " --config " + run() +
                          "/config.toml --out " + run() + " --refit --overwrite";
  EXPECT_TRUE(contains(idle.err, way)) << idle.err;
  const Finished refit =
      run_binary({"train", folder_ / "log.csv", "--config", run() + "/config.toml", "--out", run(),
                  "--refit", "--overwrite"});
  EXPECT_EQ(refit.exit_code, 0) << refit.err;
}

TEST_F(Resume, AFolderIsRefusedBeforeTheLogIsRead) {
  ASSERT_EQ(train({}).exit_code, 0);
  const Finished refused = train({});
  expect_error(refused, 2, {"finished run"});
  EXPECT_FALSE(contains(refused.err, "training interactions")) << refused.err;
}

TEST_F(Resume, WhereNothingIsSaysSo) {
  const Finished begun = train({"--resume"}, "typo");
  EXPECT_EQ(begun.exit_code, 0) << begun.err;
  EXPECT_TRUE(contains(begun.err, "typo holds no training to go on from")) << begun.err;
  expect_error(resume({}, "gone"), 2, {"gone holds no training", "--out"});
  EXPECT_FALSE(fs::exists(run("gone")));
}

}  // namespace
}  // namespace evenkeel::testing
