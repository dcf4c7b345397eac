// In: figures of methods. Out: a verdict that follows them, and p-values corrected by Holm.
#include "report/verdict.h"

#include <gtest/gtest.h>

#include "report/comparisons.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

json method(const char* label, int run, double recall) {
  return {{"label", label},
          {"runs", {run}},
          {"evaluations", {{{"part", "test_even"}, {"mean", {{"recall", recall}}}}}}};
}

json comparison(int a, int b, double p) {
  return {{"a", a}, {"b", b}, {"part", "test_even"}, {"metric", "recall"}, {"p", p}};
}

json stop(double debias, double tail) {
  return {{"debias", debias}, {"group_share", {0.9 - tail, 0.1, tail}}};
}

class Verdict : public ::testing::Test {
 protected:
  Verdict() {
    data_set_ = {
        {"tests", {"test_biased", "test_even"}},
        {"statistics",
         {{"parts",
           {{{"name", "test_biased"}, {"dkl_grouped", 1.5}},
            {{"name", "test_even"}, {"dkl_grouped", 0.1}}}}}},
        {"popularity", {{"group_share", {0.8, 0.15, 0.05}}, {"decile_share", {0.61, 0.39}}}},
        {"methods", {method("bpr", 0, 0.10), method("bc", 1, 0.12), method("ccl", 2, 0.05)}},
        {"comparisons",
         {comparison(0, 1, 0.012), comparison(0, 2, 0.5), comparison(1, 2, 0.0001)}}};
    const json run{{"detailed", true},
                   {"exposure", {{"tail_share", 0.031}, {"decile_share", {0.934, 0.066}}}},
                   {"front", {{"debias", 0.0}, {"stops", {stop(0, 0.031), stop(0.4, 0.12)}}}}};
    runs_ = {run, run, run};
  }
  std::string sentence() const { return verdict_json(data_set_, runs_)["sentence"]; }
  json data_set_, runs_;
};

TEST_F(Verdict, SaysWhoWhereHowMuchAndWhetherBeyondChance) {
  EXPECT_EQ(sentence(),
            "bc is ahead on test_even, the least biased test: Recall@20 0.1200, 20.0 % above bpr, "
            "beyond chance (p = 0.012).");
  const json verdict = verdict_json(data_set_, runs_);
  EXPECT_EQ(verdict["best"], 1);
  ASSERT_EQ(verdict["figures"].size(), 3U);
  EXPECT_EQ(verdict["figures"][1]["value"], "+20.0 %");
  EXPECT_EQ(verdict["figures"][2]["value"], "3.1 %");
  EXPECT_EQ(verdict["catalogue"],
            "The most popular tenth of the items has 61 % of the training interactions and gets "
            "93 % of the places in bc's lists; --debias 0.4 would change the tail's share of the "
            "places from 3.1 % to 12.0 %.");
}

TEST_F(Verdict, ADifferenceWithinChanceIsNoLead) {
  data_set_["comparisons"][0]["p"] = 0.04;  // twice that by Holm, beside p = 0.03
  data_set_["comparisons"][2]["p"] = 0.03;
  EXPECT_EQ(holm_p(data_set_, 1, 0, "test_even"), 0.06);
  EXPECT_EQ(
      sentence(),
      "bc, bpr and 1 more are level on test_even, the least biased test: Recall@20 0.1200 and "
      "0.1000 of the first two, a difference within chance (p = 0.060).");
  const json figure = verdict_json(data_set_, runs_)["figures"][1];
  EXPECT_EQ(figure["value"], "level") << "no large figure for a lead that the sentence denies";
  EXPECT_EQ(figure["note"], "+20.0 %, within chance, p = 0.060");
}

TEST_F(Verdict, AllThatAreLevelAreCounted) {
  for (json& one : data_set_["comparisons"]) one["p"] = 0.5;
  EXPECT_NE(sentence().find("bc, bpr and 1 more are level on test_even"), std::string::npos)
      << sentence();
}

TEST_F(Verdict, AShareThatIsNotZeroDoesNotReadAsZero) {
  runs_[1]["exposure"]["tail_share"] = 0.0002;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"][2]["value"], "0.02 %");
  runs_[1]["exposure"]["tail_share"] = 0.00002;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"][2]["value"], "< 0.01 %");
  runs_[1]["exposure"]["tail_share"] = 0.0;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"][2]["value"], "0 %");
}

TEST_F(Verdict, WhatIsNotKnownIsNotClaimed) {
  data_set_["comparisons"] = json::array();
  EXPECT_NE(sentence().find("whether beyond chance is not known"), std::string::npos);
  EXPECT_FALSE(holm_p(data_set_, 1, 0, "test_even"));
  data_set_["methods"] = {method("bc", 0, 0.12)};
  EXPECT_NE(sentence().find("no other method"), std::string::npos);
  runs_[0]["detailed"] = false;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"].size(), 1U);
  data_set_["methods"][0]["evaluations"] = json::array();
  EXPECT_TRUE(verdict_json(data_set_, runs_).is_null());
}

TEST_F(Verdict, SaysWhatChanceIsTakenOver) {
  data_set_["comparisons"][0]["users"] = 1234;
  data_set_["comparisons"][0]["seeds"] = 1;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"][1]["note"],
            "beyond chance, p = 0.012 (1,234 users, one seed)");
  data_set_["comparisons"][0]["seeds"] = 3;
  EXPECT_EQ(verdict_json(data_set_, runs_)["figures"][1]["note"],
            "beyond chance, p = 0.012 (1,234 users, 3 seeds)");
}

TEST_F(Verdict, AdvisesNoCorrectionThatChangesNothing) {
  runs_[1]["front"]["stops"] = {stop(0, 0.0), stop(0.4, 0.0)};
  EXPECT_EQ(verdict_json(data_set_, runs_)["catalogue"].get<std::string>().find("--debias"),
            std::string::npos);
}

TEST_F(Verdict, AModelWithAStrengthOfItsOwnNeedsNoAdvice) {
  runs_[1]["front"]["debias"] = 0.4;
  EXPECT_EQ(verdict_json(data_set_, runs_)["catalogue"].get<std::string>().find("--debias"),
            std::string::npos);
}

}  // namespace
}  // namespace evenkeel::report
