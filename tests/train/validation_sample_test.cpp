// In: what training and ranking cost. Out: how many users a validation ranks.
#include "train/validation_sample.h"

#include <gtest/gtest.h>

namespace evenkeel::train {
namespace {

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
