// In: goals and strengths as users give them. Out: strengths that are chosen, told, obeyed by every
// command, or refused in one sentence.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

class Debias : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    write_text(*folder_ / "log.csv", tiny_log(300, 60, 15));
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::vector<std::string> words(const std::string& name,
                                        const std::vector<std::string>& more) {
    std::vector<std::string> words{"train",       *folder_ / "log.csv",
                                   "--out",       *folder_ / name,
                                   "--epochs",    "4",
                                   "--dim",       "8",
                                   "--negatives", "4",
                                   "--batch",     "64",
                                   "--lr",        "0.01",
                                   "--tau",       "0.2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static Finished train(const std::string& name, const std::vector<std::string>& more = {}) {
    return run_binary(words(name, more));
  }
  static json result(const std::string& name) {
    return json::parse(read_text(*folder_ / name + "/result.json"));
  }
  static json evaluate(const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"evaluate", *folder_ / name, "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const Finished finished = run_binary(all);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return json::parse(finished.out);
  }
  static inline std::unique_ptr<TempFolder> folder_;
};

TEST_F(Debias, TheGoalChoosesAndEveryCommandObeys) {
  const Finished finished = train("balanced", {"--goal", "balanced"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "on validation, as logged: Recall@20")) << finished.err;
  const json told = result("balanced");
  const double chosen = told["dial"]["debias"].get<double>();
  EXPECT_EQ(told["dial"]["goal"], "balanced");
  EXPECT_EQ(told["chosen"]["debias"], chosen);
  EXPECT_NEAR(told["dial"]["temperature"].get<double>(), 0.2, 1e-12);
  EXPECT_EQ(told["dial"]["points"].size(), 17U);
  EXPECT_EQ(evaluate("balanced")["debias"], chosen) << "the model's own strength";
  EXPECT_EQ(evaluate("balanced")["evaluations"], told["evaluations"]);
  const json several = evaluate("balanced", {"--debias", "0,1"})["strengths"];
  ASSERT_EQ(several.size(), 2U);
  EXPECT_GT(several[0]["evaluations"]["valid"]["mean_popularity@20"].get<double>(),
            several[1]["evaluations"]["valid"]["mean_popularity@20"].get<double>());
}

TEST_F(Debias, LoggedIsAsBeforeAndTellsTheDial) {
  const Finished finished = train("logged");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "with --debias 0.4: Recall@20")) << finished.err;
  EXPECT_EQ(result("logged")["dial"]["debias"], 0.0);
  EXPECT_EQ(result("logged")["config"]["debias"], "0");
  const Finished plain =
      run_binary({"recommend", *folder_ / "logged", "--user", "u1", "--debias", "0"});
  const Finished own = run_binary({"recommend", *folder_ / "logged", "--user", "u1"});
  EXPECT_EQ(plain.out, own.out);
  const Finished with =
      run_binary({"recommend", *folder_ / "logged", "--user", "u1", "--debias", "1"});
  EXPECT_NE(with.out, own.out);
}

TEST_F(Debias, ARefitKeepsTheChoice) {
  ASSERT_EQ(train("refit", {"--goal", "balanced", "--refit"}).exit_code, 0);
  const double chosen = result("refit")["dial"]["debias"].get<double>();
  const std::vector<std::string> ask{"recommend", *folder_ / "refit", "--user", "u3"};
  std::vector<std::string> given = ask;
  given.insert(given.end(), {"--debias", std::to_string(chosen)});
  EXPECT_EQ(run_binary(ask).out, run_binary(given).out);
}

TEST_F(Debias, AFrontHasARowPerMethod) {
  ASSERT_EQ(train("bpr", {"--loss", "bpr", "--negatives", "1"}).exit_code, 0);
  ASSERT_EQ(train("softmax", {"--loss", "softmax"}).exit_code, 0);
  ASSERT_EQ(train("softmax-2", {"--loss", "softmax", "--seed", "2"}).exit_code, 0);
  const Finished table =
      run_binary({"evaluate", *folder_ / "bpr", *folder_ / "softmax", *folder_ / "softmax-2",
                  "--front", "--out", *folder_ / "front"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "fronts of Recall@20 on test")) << table.out;
  EXPECT_TRUE(contains(table.out, "balanced, estimated"))
      << "a random test is as biased as the log";
  EXPECT_TRUE(contains(table.out, "bpr")) << table.out;
  EXPECT_TRUE(contains(read_text(*folder_ / "front.svg"), "<svg"));
  const std::string csv = read_text(*folder_ / "front.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 17);
}

TEST_F(Debias, OneSeedHasNoSpread) {
  ASSERT_EQ(train("seed-1", {"--loss", "softmax"}).exit_code, 0);
  ASSERT_EQ(train("seed-2", {"--loss", "softmax", "--seed", "2"}).exit_code, 0);
  const Finished one = run_binary({"evaluate", *folder_ / "seed-1", "--front"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_FALSE(contains(one.out, "+-")) << one.out;
  const Finished told = run_binary({"evaluate", *folder_ / "seed-1", "--front", "--json"});
  EXPECT_TRUE(json::parse(told.out)["methods"][0]["area"]["sd"].is_null());
  const Finished two =
      run_binary({"evaluate", *folder_ / "seed-1", *folder_ / "seed-2", "--front"});
  EXPECT_TRUE(contains(two.out, "+-")) << two.out;
}

TEST_F(Debias, FrontsOfSeveralDataSetsOrTestsAreRefused) {
  ASSERT_EQ(train("mine", {"--loss", "softmax"}).exit_code, 0);
  write_text(*folder_ / "other.csv", tiny_log(200, 60, 15));
  const std::string mine = *folder_ / "mine", other = *folder_ / "other", turned = *folder_ / "cut";
  ASSERT_EQ(run_binary({"train", *folder_ / "other.csv", "--out", other, "--epochs", "2", "--dim",
                        "8", "--batch", "64", "--tau", "0.2", "--negatives", "4"})
                .exit_code,
            0);
  expect_error(run_binary({"evaluate", mine, other, "--front"}), 3, {mine, other, "one data set"});
  ASSERT_EQ(train("cut", {"--loss", "bc", "--seed", "7"}).exit_code, 0);
  expect_error(run_binary({"evaluate", mine, turned, "--front"}), 3,
               {mine, turned, "the same pairs of 'test'"});
  expect_error(run_binary({"evaluate", mine, turned}), 2, {turned, "--front", "compare"});
}

// A fit of the temperature needs validation pairs.
TEST_F(Debias, ARunThatCannotBeCorrectedIsLeftOutOfAFront) {
  const std::string parts = *folder_ / "parts", bpr = *folder_ / "bpr-0";
  const std::string softmax = *folder_ / "softmax-0";
  ASSERT_EQ(
      run_binary({"split", *folder_ / "log.csv", "--protocol", "random", "--out", parts}).exit_code,
      0);
  fs::remove(parts + "/valid.txt");
  for (const std::string& run : {softmax, bpr}) {
    const Finished finished =
        run_binary({"train", parts, "--out", run, "--loss", run == bpr ? "bpr" : "softmax",
                    "--epochs", "2", "--dim", "8", "--batch", "64", "--validation", "0"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
  }
  const Finished both = run_binary({"evaluate", bpr, softmax, "--front"});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_TRUE(contains(both.err, bpr + ": has no curve")) << both.err;
  EXPECT_TRUE(contains(both.out, "softmax")) << both.out;
  EXPECT_FALSE(contains(both.out, "bpr")) << both.out;
  expect_error(run_binary({"evaluate", bpr, "--front"}), 3, {"none can be corrected"});
}

TEST_F(Debias, WrongStrengthsAndGoalsAreRefused) {
  for (const char* wrong : {"nan", "-1", "1e9", "much", "0.1x", ""}) {
    expect_error(train("wrong", {"--debias", wrong}), 2, {"--debias"});
    EXPECT_FALSE(fs::exists(*folder_ / "wrong"));
  }
  expect_error(train("wrong", {"--goal", "fair"}), 2, {"goal"});
  expect_error(train("wrong", {"--goal", "balanced", "--split", "none"}), 2,
               {"--goal balanced", "validation"});
  expect_error(train("wrong", {"--debias", "auto", "--split", "none"}), 2,
               {"--debias auto", "validation"});
  if (!fs::exists(*folder_ / "logged")) {
    ASSERT_EQ(train("logged").exit_code, 0);
  }
  const std::string run = *folder_ / "logged";
  expect_error(run_binary({"recommend", run, "--user", "u1", "--debias", "0.1,0.2"}), 2,
               {"--debias"});
  expect_error(run_binary({"export", run, "--out", *folder_ / "x.npz", "--raw", "--debias", "0.5"}),
               2, {"--raw"});
  expect_error(run_binary({"evaluate", run, "--debias", "0,,1"}), 2, {"--debias"});
  expect_error(run_binary({"evaluate", run, run, "--front", "--k", "5"}), 2, {"--k"});
  expect_error(run_binary({"evaluate", run, "--out", *folder_ / "x"}), 2, {"--out"});
}

TEST_F(Debias, EqualPopularityIsTold) {
  std::string even = "user,item\n";
  for (int u = 0; u < 40; ++u) {
    for (int n = 0; n < 8; ++n) {
      even += "u" + std::to_string(u) + ",i" + std::to_string((u + 5 * n) % 40) + "\n";
    }
  }
  write_text(*folder_ / "even.csv", even);
  const Finished finished = run_binary({"train", *folder_ / "even.csv", "--out", *folder_ / "even",
                                        "--split", "none", "--epochs", "1", "--debias", "0.5"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "equally popular")) << finished.err;
}

}  // namespace
}  // namespace evenkeel::testing
