// In: yesterday's run and today's log. Out: a run that starts from it, a model that is extended,
// rows that weigh more, each as the program says it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

const std::vector<std::string> kQuick{"--dim", "8", "--epochs", "3", "--negatives", "8", "--quiet"};

std::vector<std::string> train(std::vector<std::string> words) {
  words.insert(words.begin(), "train");
  words.insert(words.end(), kQuick.begin(), kQuick.end());
  return words;
}

class Fresh : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "old.csv", tiny_log(60, 30, 8));
    write_text(folder_ / "new.csv", tiny_log(66, 30, 9));
    ASSERT_EQ(run_binary(train({folder_ / "old.csv", "--out", folder_ / "run"})).exit_code, 0);
  }
  TempFolder folder_;
};

TEST_F(Fresh, TodayStartsFromYesterday) {
  const Finished started = run_binary(
      train({folder_ / "new.csv", "--from", folder_ / "run", "--out", folder_ / "next"}));
  ASSERT_EQ(started.exit_code, 0) << started.err;
  const auto result = nlohmann::json::parse(read_text(folder_ / "next/result.json"));
  EXPECT_EQ(result["from"]["run"], folder_ / "run");
  EXPECT_EQ(result["from"]["users"].get<int>() + result["from"]["new_users"].get<int>(), 66);
  EXPECT_GE(result["from"]["new_users"], 6);
  EXPECT_TRUE(contains(read_text(folder_ / "next/config.toml"), "from = \"" + (folder_ / "run")));
  expect_error(run_binary(train({folder_ / "new.csv", "--from", folder_ / "run", "--out",
                                 folder_ / "wrong", "--encoder", "lightgcn"})),
               2, {"--encoder is lightgcn", "trained with mf"});
  EXPECT_FALSE(fs::exists(folder_ / "wrong"));
  // The configuration of a run is one of its successor.
  EXPECT_EQ(run_binary(train({folder_ / "new.csv", "--config", folder_ / "next/config.toml",
                              "--from", folder_ / "next", "--out", folder_ / "third"}))
                .exit_code,
            0);
}

TEST_F(Fresh, ExtendKnowsNewPeopleAndItems) {
  write_text(folder_ / "since.csv", "user,item\nnina,i0\nnina,i3\nu0,brand new\nnina,brand new\n");
  const Finished made = run_binary(
      {"extend", folder_ / "run", folder_ / "since.csv", "--out", folder_ / "more", "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto counts = nlohmann::json::parse(made.out);
  EXPECT_EQ(counts["new_users"], 1);
  EXPECT_EQ(counts["new_items"], 1);
  const Finished list = run_binary({"recommend", folder_ / "more", "--user", "nina", "--k", "100"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_FALSE(contains(list.out, "brand new")) << "she has it";
  EXPECT_FALSE(contains(list.out, "i3\t"));
  EXPECT_TRUE(contains(
      run_binary({"recommend", folder_ / "more", "--user", "u5", "--k", "100"}).out, "brand new"));
  EXPECT_EQ(run_binary({"evaluate", folder_ / "more"}).exit_code, 0);
  // The next training may start from it.
  EXPECT_EQ(run_binary(train({folder_ / "new.csv", "--from", folder_ / "more", "--out",
                              folder_ / "after"}))
                .exit_code,
            0);
  const std::vector<std::string> again{"extend", folder_ / "run", folder_ / "since.csv", "--out",
                                       folder_ / "more"};
  expect_error(run_binary(again), 2, {"holds a model", "--overwrite"});
  // A training does not take its place unasked either, nor before it is finished.
  const auto kept = bytes_of(folder_ / "more");
  expect_error(run_binary(train({folder_ / "new.csv", "--out", folder_ / "more"})), 2,
               {"holds a model", "--overwrite"});
  expect_error(run_binary(train({folder_ / "new.csv", "--out", folder_ / "more", "--resume"})), 2,
               {"holds a model", "--overwrite"});
  expect_error(run_binary(train({folder_ / "none.csv", "--out", folder_ / "more", "--overwrite"})),
               3, {"none.csv"});
  EXPECT_EQ(bytes_of(folder_ / "more"), kept);
  expect_error(run_binary({"extend", folder_ / "run", folder_ / "since.csv", "--out",
                           folder_ / "run", "--overwrite"}),
               2, {"holds a training"});
  expect_error(
      run_binary({"extend", folder_ / "run", folder_ / "none.csv", "--out", folder_ / "never"}), 3,
      {"none.csv"});
  EXPECT_FALSE(fs::exists(folder_ / "never"));
}

TEST_F(Fresh, WeightsAreReadOrRefused) {
  std::string text = "user,item,n,time\n";
  for (int k = 0; k < 300; ++k) {
    text += "u" + std::to_string(k % 20) + ",i" + std::to_string(k * 7 % 13) + "," +
            std::to_string(k % 4) + "," + std::to_string(1700000000 + k * 3600) + "\n";
  }
  write_text(folder_ / "log.csv", text);
  const Finished weighed = run_binary(train({folder_ / "log.csv", "--weight-column", "n",
                                             "--half-life", "2d", "--out", folder_ / "weighed"}));
  EXPECT_EQ(weighed.exit_code, 0) << weighed.err;
  EXPECT_EQ(run_binary({"evaluate", folder_ / "weighed", folder_ / "log.csv"}).exit_code, 0);
  write_text(folder_ / "bad.csv", "user,item,n\na,x,1\nb,y,-2\n");
  expect_error(
      run_binary(train({folder_ / "bad.csv", "--weight-column", "n", "--out", folder_ / "bad"})), 3,
      {"bad.csv:3", "'-2'"});
  expect_error(
      run_binary(train({folder_ / "log.csv", "--half-life", "soon", "--out", folder_ / "bad"})), 2,
      {"--half-life is 'soon'"});
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

}  // namespace
}  // namespace evenkeel::testing
