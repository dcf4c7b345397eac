// In: commands that must be refused, stopped or shuffled. Out: nothing lost, nothing leaked,
// nothing recommended that the log already holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

class Trust : public ::testing::Test {
 protected:
  void SetUp() override { write_text(log(), tiny_log(60, 36, 15)); }
  std::string log() { return folder_ / "log.csv"; }
  std::string run(const std::string& name = "run") { return folder_ / name; }
  std::vector<std::string> words(std::vector<std::string> more = {},
                                 const std::string& name = "run") {
    std::vector<std::string> words{"train",   log(),   "--out", run(name),     "--epochs",
                                   "3",       "--dim", "8",     "--negatives", "4",
                                   "--batch", "64",    "--lr",  "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void train(std::vector<std::string> more = {}, const std::string& name = "run") {
    const Finished finished = run_binary(words(std::move(more), name));
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    said_ = finished.err;
  }
  std::set<std::string> pairs_of_log() {
    std::set<std::string> pairs;
    std::istringstream lines(read_text(log()));
    for (std::string line; std::getline(lines, line);) {
      std::replace(line.begin(), line.end(), ',', '\t');
      pairs.insert(line);
    }
    return pairs;
  }
  std::string shuffled_log() {
    std::istringstream lines(read_text(log()));
    std::string header;
    std::getline(lines, header);
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);) rows.push_back(line);
    std::shuffle(rows.begin(), rows.end(), std::mt19937(5));
    std::string text = header + "\n";
    for (const std::string& row : rows) text += row + "\n";
    return text + "u1,brand-new\n";
  }
  // Of all users, how many recommended pairs the log holds.
  int repeated(const std::string& name, const std::vector<std::string>& more = {}) {
    std::string users;
    for (int u = 0; u < 60; ++u) users += "u" + std::to_string(u) + "\n";
    write_text(folder_ / "users.txt", users);
    std::vector<std::string> words{"recommend", run(name), "--users", folder_ / "users.txt"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_binary(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    const std::set<std::string> known = pairs_of_log();
    int count = 0;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      count += known.contains(line.substr(0, line.rfind('\t'))) ? 1 : 0;
    }
    EXPECT_NE(finished.out, "");
    return count;
  }

  TempFolder folder_;
  std::string said_;
};

TEST_F(Trust, ListsHoldNothingThatTheLogHolds) {
  train();
  EXPECT_TRUE(contains(said_, "20 % of the log is held out")) << said_;
  EXPECT_TRUE(contains(said_, "--refit")) << said_;
  EXPECT_EQ(repeated("run"), 0);
  EXPECT_GT(repeated("run", {"--include-seen"}), 0) << "the test must be able to fail";
  train({"--refit"}, "refit");
  EXPECT_EQ(repeated("refit"), 0);
  EXPECT_TRUE(contains(said_, "figures of test, valid are those of the model before the refit"))
      << said_;
  train({"--split", "none"}, "whole");
  EXPECT_EQ(repeated("whole"), 0);
}

TEST_F(Trust, AShuffledLogGivesTheSameFiguresOrARefusal) {
  train();
  const json result = json::parse(read_text(run() + "/result.json"));
  write_text(log(), shuffled_log());
  const Finished own = run_binary({"evaluate", run(), "--json"});
  ASSERT_EQ(own.exit_code, 0) << own.err;
  EXPECT_EQ(json::parse(own.out)["evaluations"], result["evaluations"]);
  expect_error(run_binary({"evaluate", run(), log()}), 3, {"trained the model", "%"});
  const Finished allowed = run_binary({"evaluate", run(), log(), "--allow-overlap"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_TRUE(contains(allowed.err, "trained the model")) << allowed.err;
}

TEST_F(Trust, ATestFileIsTakenWhole) {
  train();
  write_text(folder_ / "fresh.csv", "user,item\nu1,i0\nu1,i1\nu2,i0\nu2,i2\nu3,i0\nu3,i1\n");
  const std::set<std::string> known = pairs_of_log();
  std::string fresh = "user,item\n";
  int pairs = 0;
  for (int u = 0; u < 10; ++u) {
    for (int i = 0; i < 36; ++i) {
      const std::string user = "u" + std::to_string(u), item = "i" + std::to_string(i);
      if (known.contains(user + "\t" + item) || (u + i) % 5 != 0) continue;
      fresh += user + "," + item + "\n";
      ++pairs;
    }
  }
  ASSERT_GT(pairs, 10);
  write_text(folder_ / "fresh.csv", fresh);
  const Finished test = run_binary({"evaluate", run(), "--test", folder_ / "fresh.csv", "--json"});
  ASSERT_EQ(test.exit_code, 0) << test.err;
  const Finished data = run_binary({"evaluate", run(), folder_ / "fresh.csv", "--json"});
  ASSERT_EQ(data.exit_code, 0) << data.err;
  EXPECT_EQ(test.out, data.out) << "not cut again";
  EXPECT_EQ(json::parse(test.out)["evaluations"].size(), 1U);
  expect_error(run_binary({"evaluate", run(), log(), "--test", folder_ / "fresh.csv"}), 2,
               {"either"});
  expect_error(run_binary({"evaluate", run(), "--header", "no"}), 2, {"--header"});
}

TEST_F(Trust, ARefusedResumeChangesNothing) {
  train({"--loss", "bc"});
  const auto before = bytes_of(run());
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"--dim", "16"},
                                                        {"--loss", "softmax"},
                                                        {"--seed", "2"},
                                                        {"--lr", "0.5"},
                                                        {"--encoder", "lightgcn"},
                                                        {"--refit", ""},
                                                        {"--split", "leave-one-out"}}) {
    std::vector<std::string> more{"--resume", option};
    if (!value.empty()) more.push_back(value);
    expect_error(run_binary(words(more)), 2, {option});
    EXPECT_TRUE(bytes_of(run()) == before) << option;
  }
  write_text(log(), shuffled_log());
  expect_error(run_binary(words({"--resume"})), 2, {"data"});
  EXPECT_TRUE(bytes_of(run()) == before);
  expect_error(run_binary(words()), 2, {"finished run"});
  EXPECT_TRUE(bytes_of(run()) == before);
}

TEST_F(Trust, ABareResumeTakesSettingsAndDataFromTheRun) {
  train();
  const Finished more = run_binary({"train", "--resume", "--out", run(), "--epochs", "5"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_TRUE(contains(more.err, "--epochs 5 instead of 3")) << more.err;
  const json result = json::parse(read_text(run() + "/result.json"));
  EXPECT_EQ(result["epochs"], 5);
  EXPECT_EQ(result["config"]["dim"], 8);
  expect_error(run_binary({"train", "--out", run("new")}), 2, {"DATA"});
  EXPECT_FALSE(fs::exists(run("new")));
}

TEST_F(Trust, AFailedOverwriteKeepsTheOldRun) {
  train();
  const auto before = bytes_of(run());
  expect_error(run_binary(words({"--overwrite", "--negatives", "in-batch", "--batch", "1"})), 2,
               {"in-batch"});
  EXPECT_TRUE(bytes_of(run()) == before);
  Running running(
      words({"--overwrite", "--epochs", "100000", "--patience", "100000", "--dim", "9"}));
  ASSERT_TRUE(running.wait_until([&] { return fs::exists(run() + "/.replacement/events.jsonl"); }));
  running.send(SIGINT);
  EXPECT_EQ(running.wait().exit_code, 4);
  auto after = bytes_of(run());
  std::erase_if(after, [](const auto& file) { return contains(file.first, ".replacement"); });
  EXPECT_TRUE(after == before);
  EXPECT_EQ(repeated("run"), 0) << "the old model still serves";
  const Finished resumed = run_binary({"train", "--resume", "--out", run(), "--patience", "1"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(json::parse(read_text(run() + "/result.json"))["config"]["dim"], 9);
  EXPECT_FALSE(fs::exists(run() + "/.replacement"));
}

TEST_F(Trust, TwoTrainingsDoNotMeetInOneFolder) {
  Running first(words({"--epochs", "100000", "--patience", "100000"}));
  ASSERT_TRUE(first.wait_until([&] { return fs::exists(run() + "/events.jsonl"); }));
  expect_error(run_binary(words()), 1, {"another command"});
  expect_error(run_binary({"recommend", run(), "--user", "u1"}), 3, {"model"});
  first.send(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 4);
  expect_error(run_binary({"recommend", run(), "--user", "u1"}), 3, {"--resume"});
}

TEST_F(Trust, AFailedRunLeavesNoConfiguration) {
  write_text(log(), "user,item\nu1,i1\nu2,i1\n");  // nothing to compare with
  const Finished failed = run_binary(words({"--validation", "0", "--split", "none"}));
  EXPECT_EQ(failed.exit_code, 3) << failed.err;
  EXPECT_FALSE(fs::exists(run() + "/config.toml"));
  expect_error(run_binary({"train", folder_ / "gone.csv", "--out", run("x")}), 3, {"gone.csv"});
  EXPECT_FALSE(fs::exists(run("x")));
}

TEST_F(Trust, TrainingOnEverythingNeedsEpochs) {
  expect_error(run_binary({"train", log(), "--out", run(), "--split", "none"}), 2,
               {"--epochs", "--refit"});
  expect_error(run_binary(words({"--split", "none", "--refit"})), 2, {"--refit"});
  EXPECT_FALSE(fs::exists(run()));
  train({"--split", "none"});
  EXPECT_FALSE(contains(said_, "held out")) << said_;
  expect_error(run_binary({"evaluate", run()}), 3, {"--test FILE"});
  // Without validation there is nothing to refit by.
  train({"--validation", "0"}, "tested");
  EXPECT_TRUE(contains(said_,
                       "10 % of the log is held out for test; the same command with --split "
                       "none --epochs 3 --overwrite trains on all of it"))
      << said_;
  train({"--validation", "0", "--split", "none", "--overwrite"}, "tested");
}

TEST_F(Trust, SeedsOfTheModelReadItsDataAgain) {
  for (const char* seed : {"1", "2", "3"}) {
    const std::string name = std::string("seed") + seed;
    train({"--seed", seed}, name);
    const Finished again = run_binary({"evaluate", run(name), log(), "--json"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(json::parse(again.out)["evaluations"],
              json::parse(read_text(run(name) + "/result.json"))["evaluations"]);
  }
}

}  // namespace
}  // namespace evenkeel::testing
