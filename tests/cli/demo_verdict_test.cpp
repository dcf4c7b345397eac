// In: made-up results. Out: sentences that follow the numbers, whoever they favour.
#include "cli/demo_verdict.h"

#include <gtest/gtest.h>

namespace evenkeel::cli {
namespace {

DemoResult result(const std::string& method, double unbiased, double imbalanced, double tail) {
  return {method,
          {{"test_unbiased",
            {{"recall@20", unbiased}, {"tail_share@20", tail}, {"mean_popularity@20", 90.0}}},
           {"test_id", {{"recall@20", imbalanced}}},
           {"test_ood", {{"recall@20", imbalanced / 2}}}},
          1.0};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DemoVerdict, FollowsTheNumbers) {
  const std::string wins =
      demo_verdict({result("most-pop", 0.02, 0.3, 0), result("softmax", 0.10, 0.2, 0.01),
                    result("bc", 0.11, 0.18, 0.05)});
  EXPECT_TRUE(says(wins, "bc leads softmax by 10.0 % Recall@20")) << wins;
  EXPECT_FALSE(says(wins, "does not win")) << wins;
  EXPECT_TRUE(says(wins, "5.0 % of the places in its lists")) << wins;
  EXPECT_TRUE(says(wins, "10.0 % lower")) << wins;
}

TEST(DemoVerdict, SaysWhenBcDoesNotWin) {
  const std::string loses = demo_verdict(
      {result("bpr", 0.2, 0.3, 0), result("softmax", 0.10, 0.2, 0), result("bc", 0.11, 0.3, 0)});
  EXPECT_TRUE(says(loses, "bpr leads bc")) << loses;
  EXPECT_TRUE(says(loses, "BC does not win")) << loses;
  EXPECT_TRUE(says(loses, "90 and 90 training interactions")) << loses;
  EXPECT_TRUE(says(loses, "50.0 % higher")) << loses;
}

TEST(DemoVerdict, TellsWhatTheCorrectionDoes) {
  const std::string told =
      demo_verdict({result("softmax", 0.10, 0.2, 0), result("bc", 0.11, 0.2, 0.001),
                    result(kBalancedMethod, 0.10, 0.15, 0.123)});
  EXPECT_TRUE(
      says(told, "12.3 % of the places in the lists of BC go to tail items instead of 0.10 %"))
      << told;
  EXPECT_TRUE(says(told, "25.0 % lower on the balanced test")) << told;
}

TEST(DemoVerdict, MissingFiguresAreNoCrash) {
  const DemoResult empty{"bc", nlohmann::json::object(), 0};
  EXPECT_EQ(demo_verdict({}), "");
  EXPECT_FALSE(demo_verdict({empty, {"softmax", nlohmann::json::object(), 0}}).empty());
}

}  // namespace
}  // namespace evenkeel::cli
