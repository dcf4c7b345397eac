// A model that an earlier evenkeel wrote must stay readable and keep its meaning. In:
// format-1.safetensors, as `evenkeel train books.csv --dim 4 --epochs 60 --margin sigmoid --tau 0.2
// --seed 5` wrote it (12 readers, 10 books, 61 pairs); out: what it has always said.
//
// Never write the file anew: a format that changes gets a second file beside it.
#include <gtest/gtest.h>

#include "model/model.h"
#include "model/model_data.h"
#include "places.h"

namespace evenkeel::model {
namespace {

const std::string kFile = testing::source_folder() / "tests/model/format-1.safetensors";

TEST(SavedModel, HasItsShapesIdsAndPairs) {
  const Model saved = load_model(kFile);
  EXPECT_EQ(saved.users.rows(), 12U);
  EXPECT_EQ(saved.items.rows(), 10U);
  EXPECT_EQ(saved.users.dim(), 4U);
  EXPECT_EQ(saved.items.dim(), 4U);
  EXPECT_EQ(saved.score, Score::kCosine);
  EXPECT_EQ(saved.temperature, 0.2);
  EXPECT_EQ(saved.debias, 0);
  EXPECT_EQ(saved.user_ids.text(6), "g\xC3\xBCl");
  EXPECT_EQ(saved.user_ids.text(10), "k,l");
  EXPECT_EQ(saved.item_ids.find("the end"), std::optional<Row>(8));
  EXPECT_EQ(saved.users.row(0)[1], 0.49740383F);
  EXPECT_EQ(saved.items.row(0)[1], -0.66677487F);
  EXPECT_EQ(saved.known.size(), 49U);
  ASSERT_EQ(saved.held.size(), 2U);
  EXPECT_EQ(saved.held[0].interactions(), 6U);
  EXPECT_EQ(saved.held[1].interactions(), 6U);
  EXPECT_EQ(saved.item_popularity, (std::vector<std::uint32_t>{7, 6, 5, 6, 5, 5, 3, 5, 3, 4}));
  EXPECT_EQ(saved.extra_tables.count("extractor_users"), 1U);
  EXPECT_EQ(saved.notes.at("loss"), "bc");
}

// `evaluate` knows a model's own data by it: the same pairs must give the same text for ever.
TEST(SavedModel, ItsPairsHaveTheFingerprintOfThen) {
  const Model saved = load_model(kFile);
  EXPECT_EQ(saved.origin.fingerprint, "24519101036b3cb1");
  EXPECT_EQ(data::fingerprint(dataset_of(saved)), saved.origin.fingerprint);
  EXPECT_EQ(saved.origin.options.at("split"), "random");
  EXPECT_EQ(saved.origin.options.at("seed"), "5");
}

}  // namespace
}  // namespace evenkeel::model
