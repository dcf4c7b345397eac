// In: users of known activity. Out: samples of the asked size that hold every kind of user.
#include "train/validation_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace evenkeel::train {
namespace {

std::vector<Row> rows(std::size_t count) {
  std::vector<Row> rows(count);
  std::iota(rows.begin(), rows.end(), Row{0});
  return rows;
}

TEST(ValidationSample, HoldsEveryKindOfUserInItsShare) {
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

TEST(ValidationSample, SizeFollowsCostAndOptions) {
  data::Dataset data;
  data.items_of.columns.resize(1'000'000);
  for (int i = 0; i < 50'000; ++i) data.items.insert(std::to_string(i));
  TrainOptions options;
  options.negatives_kind = step::NegativesKind::kShared;
  options.negatives = 128;
  EXPECT_EQ(validation_users(options, data, 9'000), 9'000U) << "few users are all ranked";
  EXPECT_EQ(validation_users(options, data, 900'000), kLeastValidationUsers);
  options.negatives_kind = step::NegativesKind::kOwn;
  options.negatives = 100'000;
  EXPECT_EQ(validation_users(options, data, 900'000), 900'000U) << "an epoch costs far more";
  options.validation_users = 77;
  EXPECT_EQ(validation_users(options, data, 900'000), 77U);
  EXPECT_EQ(validation_users(options, data, 50), 50U);
}

}  // namespace
}  // namespace evenkeel::train
