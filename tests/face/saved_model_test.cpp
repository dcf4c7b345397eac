// Lists of a model that an earlier evenkeel wrote. In: tests/model/format-1.safetensors; out: the
// cosines of its vectors, as they were worked out apart from the engine, in the same order.
#include <gtest/gtest.h>

#include "evenkeel/evenkeel.h"
#include "places.h"

namespace evenkeel::testing {
namespace {

void expect_list(const std::vector<ScoredItem>& list, const std::vector<ScoredItem>& wanted) {
  ASSERT_EQ(list.size(), wanted.size());
  for (std::size_t n = 0; n < list.size(); ++n) {
    EXPECT_EQ(list[n].item, wanted[n].item);
    EXPECT_NEAR(list[n].score, wanted[n].score, 1e-6F) << list[n].item;
  }
}

TEST(SavedModel, RecommendsAsItDid) {
  const Recommender saved = Recommender::load(source_folder() / "tests/model/format-1.safetensors");
  const std::string beetle =
      "K\xC3\xA4"
      "fer";
  expect_list(
      saved.recommend("anna", {.k = 4}),
      {{"b3", 0.8535953F}, {beetle, -0.0823821F}, {"b1", -0.4646511F}, {"b5", -0.6263357F}});
  expect_list(saved.recommend("hans peter", {.k = 3}),
              {{"b0", 0.6850585F}, {"b6", 0.3797554F}, {"b4", 0.2840565F}});
  EXPECT_EQ(saved.similar_items("the end", 1)[0].item, "b2");
  const Measured measured = saved.evaluate({.k = 2});
  ASSERT_EQ(measured.parts.size(), 2U);
  EXPECT_EQ(measured.parts[0].users, 4U);
  EXPECT_EQ(measured.parts[1].users, 5U);
}

}  // namespace
}  // namespace evenkeel::testing
