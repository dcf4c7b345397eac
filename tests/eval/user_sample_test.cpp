// In: users of known activity. Out: samples of the asked size that hold every kind of user, and
// evaluations of them.
#include "eval/user_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace evenkeel::eval {
namespace {

std::vector<Row> rows(std::size_t count) {
  std::vector<Row> rows(count);
  std::iota(rows.begin(), rows.end(), Row{0});
  return rows;
}

TEST(UserSample, HoldsEveryKindOfUserInItsShare) {
  const auto users = rows(1000);
  std::vector<std::uint32_t> popularity(1000);
  for (std::size_t u = 0; u < 1000; ++u) popularity[u] = static_cast<std::uint32_t>(u * 7919 % 100);
  const auto sample = stratified_sample(users, popularity, 100, 1);
  ASSERT_EQ(sample.size(), 100U);
  EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
  EXPECT_EQ(std::adjacent_find(sample.begin(), sample.end()), sample.end()) << "nobody twice";
  const auto busy = std::count_if(sample.begin(), sample.end(),
                                  [&](std::size_t place) { return popularity[place] >= 50; });
  EXPECT_EQ(busy, 50) << "half of the users, half of the sample";
  EXPECT_EQ(sample, stratified_sample(users, popularity, 100, 1));
  EXPECT_NE(sample, stratified_sample(users, popularity, 100, 2));
  EXPECT_EQ(stratified_sample(users, popularity, 1000, 1).size(), 1000U);
}

TEST(UserSample, OnlyHugePartsAreSampled) {
  const UserLimit by_cost;
  EXPECT_EQ(evaluation_users(by_cost, 283'209, 81'614), 283'209U) << "iFashion is ranked whole";
  EXPECT_EQ(evaluation_users(by_cost, 2'700'000, 500'000), 68'719U);
  EXPECT_EQ(evaluation_users(by_cost, 2'700'000, 50'000'000), 10'000U);
  EXPECT_EQ(evaluation_users(by_cost, 7'000, 500'000'000), 7'000U);
  EXPECT_EQ(evaluation_users(kAllUsers, 2'700'000, 500'000), 2'700'000U);
  EXPECT_EQ(evaluation_users(UserLimit(77), 2'700'000, 5), 77U);
  EXPECT_EQ(evaluation_users(UserLimit(77), 50, 5), 50U);
}

TEST(UserSample, LimitsAreReadOrRefused) {
  EXPECT_EQ(parse_user_limit("auto", "x"), std::nullopt);
  EXPECT_EQ(parse_user_limit("all", "x"), kAllUsers);
  EXPECT_EQ(parse_user_limit("12", "x"), UserLimit(12));
  for (const char* wrong : {"", "0", "-1", "some", "12k"}) {
    EXPECT_THROW(parse_user_limit(wrong, "evaluation-users"), Error) << wrong;
  }
}

}  // namespace
}  // namespace evenkeel::eval
