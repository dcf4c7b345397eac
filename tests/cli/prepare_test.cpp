// In: one log, as text and prepared. Out: the same model from both, byte for byte, by every command
// that takes DATA; what a prepared folder cannot do is refused.
#include <gtest/gtest.h>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using Words = std::vector<std::string>;

class PrepareCommand : public ::testing::Test {
 protected:
  void SetUp() override { write_text(log(), tiny_log(60, 36, 15)); }
  std::string log() { return folder_ / "log.csv"; }

  Finished prepare(const std::string& name, const Words& more = {}) {
    Words words{"prepare", log(), "--out", folder_ / name};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  }
  // The bytes of the model.
  std::string model(const std::string& data, const Words& more = {}) {
    const std::string out = folder_ / "run" + std::to_string(++runs_);
    Words words{"train", data,          "--out", out,       "--epochs", "3",    "--dim",
                "8",     "--negatives", "4",     "--batch", "64",       "--lr", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_binary(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return read_text(out + "/model.safetensors");
  }

  TempFolder folder_;
  int runs_ = 0;
};

TEST_F(PrepareCommand, AModelOfPreparedDataIsThatOfTheText) {
  const Words cut{"--split", "random", "--seed", "7"};
  const std::string wanted = model(log(), cut);
  ASSERT_FALSE(wanted.empty());
  ASSERT_EQ(prepare("whole").exit_code, 0);
  EXPECT_EQ(model(folder_ / "whole", cut), wanted);
  ASSERT_EQ(prepare("parts", cut).exit_code, 0);
  EXPECT_EQ(model(folder_ / "parts", {"--seed", "7"}), wanted);
  EXPECT_NE(model(folder_ / "parts", {"--seed", "8"}), wanted) << "a training has its own seed";
}

TEST_F(PrepareCommand, OtherCommandsTakeItToo) {
  ASSERT_EQ(prepare("whole").exit_code, 0);
  ASSERT_EQ(prepare("parts", {"--split", "balanced", "--k-core", "3"}).exit_code, 0);
  const std::string whole = folder_ / "whole", parts = folder_ / "parts";
  const auto statistics = [](Words words) {
    words.insert(words.begin(), "stats");
    const Finished finished = run_binary(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.out;
  };
  EXPECT_FALSE(contains(run_binary({"stats", whole}).err, ": 0 MB/s"));
  EXPECT_EQ(statistics({whole, "--split", "balanced", "--k-core", "3"}),
            statistics({log(), "--split", "balanced", "--k-core", "3"}));
  EXPECT_EQ(statistics({parts}), statistics({log(), "--split", "balanced", "--k-core", "3"}));
  model(parts);
  for (const std::string& data : {parts, whole, log()}) {
    const Finished finished = run_binary({"evaluate", folder_ / "run1", data, "--json"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.out, run_binary({"evaluate", folder_ / "run1", "--json"}).out);
  }
  const Finished split = run_binary({"split", whole, "--out", folder_ / "a", "--k-core", "3"});
  EXPECT_EQ(split.exit_code, 0) << split.err;
  EXPECT_EQ(run_binary({"split", log(), "--out", folder_ / "b", "--k-core", "3"}).exit_code, 0);
  for (const char* name : {"/train.txt", "/test_ood.txt", "/users.csv", "/items.csv"}) {
    EXPECT_EQ(read_text(folder_ / "a" + name), read_text(folder_ / "b" + name));
  }
}

TEST_F(PrepareCommand, ExperimentsPrepareOnce) {
  write_text(folder_ / "plan.toml",
             "data_root = \".\"\nseeds = [1, 2]\n[[data]]\nname = \"Log\"\npath = \"log.csv\"\n"
             "split = { split = \"balanced\", seed = 3 }\n[[encoder]]\nname = \"MF\"\n"
             "[[method]]\nname = \"popular\"\noptions = { loss = \"most-pop\" }\n");
  const Finished finished =
      run_binary({"experiment", folder_ / "plan.toml", "--out", folder_ / "out"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "out/data")) {
    found += fs::exists(entry.path() / "prepared.json") ? 1 : 0;
  }
  EXPECT_EQ(found, 1U);
}

TEST_F(PrepareCommand, WhatItCannotDoIsRefused) {
  expect_error(prepare("x", {"--seed", "3"}), 2, {"--seed", "--split"});
  expect_error(prepare("x", {"--split", "random", "--times"}), 2, {"--times"});
  EXPECT_FALSE(fs::exists(folder_ / "x"));
  ASSERT_EQ(prepare("parts", {"--split", "random"}).exit_code, 0);
  const std::string parts = folder_ / "parts";
  expect_error(run_binary({"train", parts, "--out", folder_ / "r", "--split", "balanced"}), 2,
               {"--split", "split already"});
  expect_error(run_binary({"stats", parts, "--seed", "4"}), 2, {"--seed"});
  expect_error(run_binary({"train", parts, "--out", folder_ / "r", "--min-rating", "3"}), 2,
               {"--min-rating", "was prepared with"});
  expect_error(run_binary({"split", parts, "--out", folder_ / "s"}), 2, {"split already"});
  write_text(folder_ / "mine", "x");
  expect_error(prepare("mine"), 1, {"is a file"});
  fs::resize_file(parts + "/train.columns", 3);
  expect_error(run_binary({"train", parts, "--out", folder_ / "r"}), 3,
               {"damaged prepared data", "train.columns", "prepare it again"});
}

}  // namespace
}  // namespace evenkeel::testing
