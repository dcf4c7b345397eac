// In: figures of three methods. Out: sentences that follow the numbers.
#include "report/findings.h"

#include <gtest/gtest.h>

namespace evenkeel::report {
namespace {

using nlohmann::json;

json method(const char* label, int run, double even, double biased) {
  return {{"label", label},
          {"runs", {run}},
          {"evaluations",
           {{{"part", "test_even"}, {"mean", {{"recall", even}}}},
            {{"part", "test_biased"}, {"mean", {{"recall", biased}}}}}}};
}

json run_of(double tail, double lift) {
  return {{"detailed", true},
          {"problem", nullptr},
          {"exposure", {{"tail_share", tail}, {"lift", {lift}}}},
          {"geometry", nullptr}};
}

class Findings : public ::testing::Test {
 protected:
  Findings() {
    data_set_ = {
        {"tests", {"test_biased", "test_even"}},
        {"statistics",
         {{"parts",
           {{{"name", "train"}, {"dkl_grouped", 0.0}},
            {{"name", "test_biased"}, {"dkl_grouped", 1.5}},
            {{"name", "test_even"}, {"dkl_grouped", 0.1}}}}}},
        {"popularity", {{"group_share", {0.8, 0.15, 0.05}}}},
        {"methods", {method("bc", 0, 0.12, 0.2), method("bpr", 1, 0.1, 0.3)}},
        {"comparisons",
         {{{"a", 0}, {"b", 1}, {"part", "test_even"}, {"metric", "recall"}, {"p", 0.0123}}}}};
    runs_ = {run_of(0.031, 1.25), run_of(0.004, 2.5)};
  }
  json data_set_, runs_;
};

TEST_F(Findings, TheMostEvenTestTells) {
  EXPECT_EQ(most_uniform_test(data_set_), "test_even");
}

TEST_F(Findings, FollowTheNumbers) {
  EXPECT_EQ(method_finding(data_set_, runs_, 0),
            "bc has the best Recall@20 0.1200 on test_even, 20.0 % above bpr (beyond chance, p = "
            "0.012); it gives 3.1 % of the places in its lists to the tail, which has 5.0 % of the "
            "training interactions, and shows the most popular tenth 1.25 times as often as it was "
            "chosen.");
  const std::string second = method_finding(data_set_, runs_, 1);
  EXPECT_EQ(second.find("bpr ranks 2nd of 2 with Recall@20 0.1000 on test_even, 16.7 % below "
                        "bc (beyond chance"),
            0U)
      << second;
  data_set_["methods"][1] = method("bpr", 1, 0.13, 0.3);
  data_set_["comparisons"][0]["p"] = 0.4;
  EXPECT_EQ(
      method_finding(data_set_, runs_, 1)
          .find("bpr has the best Recall@20 0.1300 on test_even, 8.3 % above bc (within chance"),
      0U);
}

// Holm's correction depends on the baseline: with each method as its own, bc and bpr would be told
// two different p-values in two sentences.
TEST_F(Findings, APairHasOnePInEverySentence) {
  const auto comparison = [](int a, int b, double p) {
    return json{{"a", a}, {"b", b}, {"part", "test_even"}, {"metric", "recall"}, {"p", p}};
  };
  data_set_["methods"].push_back(method("softmax", 0, 0.09, 0.2));
  data_set_["comparisons"] = {comparison(0, 1, 0.053), comparison(0, 2, 0.9),
                              comparison(1, 2, 0.01)};
  EXPECT_NE(method_finding(data_set_, runs_, 0).find("above bpr (within chance, p = 0.11)"),
            std::string::npos);
  EXPECT_NE(method_finding(data_set_, runs_, 1).find("below bc (within chance, p = 0.11)"),
            std::string::npos);
}

TEST_F(Findings, SmallFiguresDoNotReadAsOthers) {
  data_set_["comparisons"][0]["p"] = 0.0532;
  runs_[0]["exposure"]["tail_share"] = 0.0002;
  const std::string sentence = method_finding(data_set_, runs_, 0);
  EXPECT_NE(sentence.find("(within chance, p = 0.053)"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("gives 0.02 % of the places"), std::string::npos) << sentence;
}

TEST_F(Findings, AMethodWithoutFiguresSaysWhy) {
  data_set_["methods"][0]["evaluations"] = json::array();
  runs_[0]["problem"] = "training diverged";
  EXPECT_EQ(method_finding(data_set_, runs_, 0), "bc has no figures: training diverged.");
}

}  // namespace
}  // namespace evenkeel::report
