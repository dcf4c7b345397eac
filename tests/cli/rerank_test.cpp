// In: rerankers as users ask for them. Out: lists and figures that follow, or one sentence.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

class Rerank : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    write_text(*folder_ / "log.csv", tiny_log(300, 60, 15));
    run_ = *folder_ / "run";
    const Finished trained =
        run_binary({"train", *folder_ / "log.csv", "--out", run_, "--epochs", "4", "--dim", "8",
                    "--negatives", "4", "--batch", "64", "--lr", "0.01"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Finished ask(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  }
  static json evaluate(const std::vector<std::string>& more) {
    const Finished finished = ask({"evaluate", run_, "--json", "--k", "10"}, more);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return json::parse(finished.out);
  }
  static Finished recommend(const std::vector<std::string>& more) {
    return ask({"recommend", run_, "--k", "10"}, more);
  }
  static inline std::unique_ptr<TempFolder> folder_;
  static inline std::string run_;
};

TEST_F(Rerank, FiguresAreThoseOfTheRerankedLists) {
  const json plain = evaluate({});
  EXPECT_FALSE(plain.contains("rerank"));
  const json none = evaluate({"--rerank", "xquad", "--rerank-strength", "0"});
  EXPECT_EQ(none["evaluations"], plain["evaluations"]);
  const json full = evaluate({"--rerank", "calibrated", "--rerank-strength", "1"});
  EXPECT_EQ(full["rerank"],
            (json{{"reranker", "calibrated"}, {"strength", 1.0}, {"candidates", 100}}));
  const auto miscalibration = [](const json& answer) {
    return answer["evaluations"]["valid"]["miscalibration@10"].get<double>();
  };
  EXPECT_LT(miscalibration(full), miscalibration(plain));
  const json both = evaluate({"--rerank", "calibrated", "--debias", "0,1"});
  EXPECT_EQ(both["strengths"].size(), 2U) << "it goes with a correction";
  const Finished table = ask({"evaluate", run_}, {"--rerank", "compensation"});
  EXPECT_TRUE(contains(table.out, "reranked: compensation, strength 0.5")) << table.out;
}

TEST_F(Rerank, ListsAreRerankedForUsersAndForItems) {
  for (const std::vector<std::string>& who :
       {std::vector<std::string>{"--user", "u1"}, std::vector<std::string>{"--items", "i0,i3"}}) {
    const Finished plain = recommend(who);
    auto more = who;
    more.insert(more.end(), {"--rerank", "compensation", "--rerank-strength", "0"});
    EXPECT_EQ(recommend(more).out, plain.out);
    more.back() = "50";
    const Finished strong = recommend(more);
    ASSERT_EQ(strong.exit_code, 0) << strong.err;
    EXPECT_NE(strong.out, plain.out);
    EXPECT_EQ(std::count(strong.out.begin(), strong.out.end(), '\n'), 10);
    more.insert(more.end(), {"--rerank-candidates", "10"});
    auto lines = [](const std::string& text) {
      std::vector<std::string> all;
      std::istringstream stream(text);
      for (std::string line; std::getline(stream, line);) all.push_back(line);
      std::sort(all.begin(), all.end());
      return all;
    };
    EXPECT_EQ(lines(recommend(more).out), lines(plain.out)) << "the same ten in another order";
  }
}

TEST_F(Rerank, FrontsHaveACurvePerReranker) {
  const Finished finished =
      run_binary({"evaluate", run_, "--front", "--rerank", "all", "--out", *folder_ / "f"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  for (const char* name : {", calibrated", ", xquad", ", compensation"}) {
    EXPECT_TRUE(contains(finished.out, name)) << finished.out;
  }
  const std::string csv = read_text(*folder_ / "f.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 17 + 11 + 11 + 12);
  const json answer =
      json::parse(run_binary({"evaluate", run_, "--front", "--rerank", "xquad", "--json"}).out);
  ASSERT_EQ(answer["methods"].size(), 2U);
  EXPECT_EQ(answer["methods"][1]["reranker"], "xquad");
  EXPECT_EQ(answer["methods"][1]["points"][0]["logged_recall@20"],
            answer["methods"][0]["points"][0]["logged_recall@20"]);
  EXPECT_EQ(answer["methods"][1]["points"][10]["strength"], 1.0);
}

TEST_F(Rerank, WrongWordsAreRefused) {
  for (const char* wrong : {"nan", "-1", "1e9", "much", ""}) {
    expect_error(recommend({"--user", "u1", "--rerank", "calibrated", "--rerank-strength", wrong}),
                 2, {"the strength of calibrated"});
    expect_error(ask({"evaluate", run_}, {"--rerank", "compensation", "--rerank-strength", wrong}),
                 2, {"the strength of compensation"});
  }
  expect_error(recommend({"--user", "u1", "--rerank", "calibratd"}), 2, {"reranker", "calibrated"});
  expect_error(recommend({"--user", "u1", "--rerank-strength", "0.5"}), 2, {"no reranker"});
  expect_error(recommend({"--user", "u1", "--rerank", "xquad", "--rerank-candidates", "0"}), 2,
               {"rerank-candidates"});
  expect_error(ask({"evaluate", run_}, {"--rerank", "xquad,calibrated"}), 2, {"reranker"});
  expect_error(
      ask({"evaluate", run_}, {"--front", "--rerank", "xquad", "--rerank-strength", "0.5"}), 2,
      {"--rerank-strength"});
}

TEST_F(Rerank, WithoutGroupsThereIsNothingToRerankBy) {
  std::string even = "user,item\n";
  for (int u = 0; u < 40; ++u) {
    for (int n = 0; n < 8; ++n) {
      even += "u" + std::to_string(u) + ",i" + std::to_string((u + 5 * n) % 40) + "\n";
    }
  }
  write_text(*folder_ / "even.csv", even);
  ASSERT_EQ(run_binary({"train", *folder_ / "even.csv", "--out", *folder_ / "even", "--split",
                        "none", "--epochs", "1"})
                .exit_code,
            0);
  expect_error(run_binary({"recommend", *folder_ / "even", "--user", "u1", "--rerank", "xquad"}), 3,
               {"equally popular"});
}

}  // namespace
}  // namespace evenkeel::testing
