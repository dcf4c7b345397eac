// In: data numbered one way, a model numbered another. Out: the data in the model's rows.
#include "eval/model_rows.h"

#include <gtest/gtest.h>

namespace evenkeel::eval {
namespace {

data::Ids ids(std::initializer_list<const char*> texts) {
  data::Ids result;
  for (const char* text : texts) result.insert(text);
  return result;
}

TEST(ModelRows, PartsFollowTheModelsIds) {
  model::Model model;
  model.user_ids = ids({"b", "a"});
  model.item_ids = ids({"z", "y", "x"});
  const std::vector<Pair> known{{0, 0}, {1, 1}};
  model.known = data::make_csr(known, 2, Side::kUser);
  model.user_popularity = {1, 1};
  model.item_popularity = {1, 1, 0};

  // In the data's rows: a = 0, b = 1, c = 2; x = 0, y = 1, new = 2.
  const std::vector<Pair> train{{0, 1}, {1, 0}};
  const std::vector<data::NamedPairs> tests{{"test", {{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 1}}}};
  const data::Dataset data =
      data::make_dataset("d", ids({"a", "b", "c"}), ids({"x", "y", "new"}), train, {{2, 1}}, tests);
  LeftOut left_out;
  const data::Dataset mapped = in_model_rows(data, model, left_out);
  EXPECT_EQ(left_out.users, 1U) << "c, in two parts, is one user";
  EXPECT_EQ(left_out.interactions, 1U) << "a's 'new'; c's are not counted twice";
  ASSERT_EQ(mapped.tests.size(), 1U);
  EXPECT_EQ(mapped.tests[0].interactions(), 2U);
  EXPECT_TRUE(mapped.tests[0].items_of.contains(1, 2)) << "a has x";
  EXPECT_TRUE(mapped.tests[0].items_of.contains(0, 1)) << "b has y";
  EXPECT_EQ(mapped.valid.interactions(), 0U);
  EXPECT_EQ(mapped.items_of.columns, model.known.columns) << "training pairs are the model's";
  EXPECT_EQ(mapped.users_of.rows(), 3U);
  EXPECT_TRUE(mapped.users_of.contains(1, 1));
}

}  // namespace
}  // namespace evenkeel::eval
