// In: experiment files, sweeps and --auto as a user types them. Out: tables, exit codes, and the
// same tables after Ctrl-C.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

constexpr const char* kPlan = R"(seeds = [1, 2]
[common]
epochs = 30
patience = 1000
dim = 8
negatives = 16
batch = 64
lr = 0.01
checkpoint-seconds = 0
[[data]]
name = "Log"
path = "log.csv"
split = { split = "balanced", seed = 3 }
[[encoder]]
name = "MF"
[[method]]
name = "SSM"
options = { loss = "softmax" }
search = { tau = [0.1, 0.3] }
[[method]]
name = "BC"
ours = true
options = { loss = "bc", tau = 0.3, extractor-epochs = 1 }
)";

class ExperimentCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "log.csv", tiny_log(120, 60, 20));
    write_text(folder_ / "plan.toml", kPlan);
  }
  std::vector<std::string> words(const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"experiment",  folder_ / "plan.toml", "--out",
                                   folder_ / out, "--threads",           "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  TempFolder folder_;
};

TEST_F(ExperimentCommand, InterruptedItGoesOnToTheSameTable) {
  Running running(words("out"));
  const std::string tuned = folder_ / "out/tune";
  ASSERT_TRUE(running.wait_until([&] {
    if (!fs::exists(tuned)) return false;
    for (const auto& entry : fs::recursive_directory_iterator(tuned)) {
      if (entry.path().filename() == "checkpoint.safetensors") return true;
    }
    return false;
  }));
  running.send(SIGINT);
  const Finished stopped = running.wait();
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "the same command goes on")) << stopped.err;
  const Finished again = run_binary(words("out"));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const Finished whole = run_binary(words("whole", {"--quiet"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_TRUE(contains(whole.out, "| BC | ")) << whole.out;
  EXPECT_TRUE(read_text(folder_ / "out/table.json") == read_text(folder_ / "whole/table.json"));
  for (const char* name : {"table.md", "table.csv", "table.tex", "cost.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / ("out/" + std::string(name)))) << name;
  }
}

TEST_F(ExperimentCommand, DryRunShowsThePlanAndWritesNothing) {
  const Finished finished = run_binary(words("out", {"--dry-run"}));
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "Log, MF, SSM")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "6 runs to do, roughly")) << finished.out;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(ExperimentCommand, BadFilesAreOneSentence) {
  std::string text = kPlan;
  write_text(folder_ / "plan.toml", text.replace(text.find("patience"), 8, "patients"));
  expect_error(run_binary(words("out")), 2, {"plan.toml:4", "'patients'", "'patience'"});
  expect_error(run_binary({"experiment", folder_ / "none.toml"}), 2, {"none.toml"});
  write_text(folder_ / "plan.toml", kPlan);
  const Finished missing = run_binary(words("out", {"--data-root", folder_ / "nowhere"}));
  EXPECT_EQ(missing.exit_code, 3) << missing.err;
  EXPECT_TRUE(contains(missing.err, "nowhere")) << missing.err;
}

TEST_F(ExperimentCommand, SweepRanksOnValidation) {
  const Finished finished =
      run_binary({"sweep", folder_ / "log.csv", "--out", folder_ / "sweep", "--loss", "softmax",
                  "--space", "tau=0.05,0.3", "--space", "lr=0.001,0.02", "--epochs", "4", "--dim",
                  "8", "--threads", "1", "--negatives", "8", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json rows = json::parse(finished.out)[0]["ranking"];
  ASSERT_EQ(rows.size(), 4U);
  double last = 2;
  for (const json& row : rows) {
    EXPECT_LE(row["valid"]["recall@20"].get<double>(), last);
    last = row["valid"]["recall@20"].get<double>();
    EXPECT_FALSE(row.contains("test"));
  }
  expect_error(run_binary({"sweep", folder_ / "log.csv"}), 2, {"--space"});
  // It printed a row of dashes and ended with 1.
  expect_error(run_binary({"sweep", folder_ / "log.csv", "--out", folder_ / "one", "--space",
                           "dim=4", "--space", "tau=0.1"}),
               2, {"--space names one setting"});
  expect_error(run_binary({"sweep", folder_ / "log.csv", "--out", folder_ / "one", "--space",
                           "dim=4,8", "--budget", "1"}),
               2, {"--budget is 1"});
  expect_error(run_binary({"sweep", folder_ / "plan.toml", "--loss", "bpr"}), 2,
               {"--loss is for DATA", "options of its own"});
  expect_error(run_binary({"sweep", folder_ / "log.csv", "--space", "tua=1"}), 2, {"'tau'"});
}

TEST_F(ExperimentCommand, AutoSaysWhatItChoseInTwoLines) {
  const Finished finished =
      run_binary({"train", folder_ / "log.csv", "--out", folder_ / "run", "--auto", "--budget", "4",
                  "--epochs", "20", "--dim", "8", "--negatives", "8", "--threads", "1"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "evenkeel: chose tau ")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "evenkeel: next best, ")) << finished.err;
  EXPECT_TRUE(fs::exists(folder_ / "run/result.json"));
  expect_error(run_binary({"train", folder_ / "log.csv", "--out", folder_ / "x", "--budget", "3"}),
               2, {"--auto"});
  expect_error(run_binary({"train", folder_ / "log.csv", "--out", folder_ / "x", "--auto",
                           "--budget", "soon"}),
               2, {"'soon'", "10m"});
}

}  // namespace
}  // namespace evenkeel::testing
