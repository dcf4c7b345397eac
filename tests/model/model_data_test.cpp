// In: models that remember their log. Out: its parts, and what each user already has.
#include "model/model_data.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/rng.h"
#include "data/scratch.h"
#include "io/safetensors.h"
#include "model/small_model.h"

namespace evenkeel::testing {
namespace {

model::Model model_with_parts() {
  model::Model model = small_model();
  const std::vector<Pair> valid{{0, 2}, {1, 1}}, test{{0, 3}, {2, 0}};  // (2, 0) also trained
  model.held = {{"valid", data::make_csr(valid, 3, Side::kUser)},
                {"test_a", data::make_csr(test, 3, Side::kUser)}};
  model.origin = {"0123456789abcdef", {{"split", "random"}, {"seed", "7"}}};
  return model;
}

TEST(ModelData, PartsAndOriginSurviveTheFile) {
  const Scratch scratch;
  const model::Model model = model_with_parts();
  model::save_model(model, scratch.path("m"));
  const model::Model read = model::load_model(scratch.path("m"));
  ASSERT_EQ(read.held.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(read.held[p].name, model.held[p].name);
    EXPECT_EQ(read.held[p].items_of.offsets, model.held[p].items_of.offsets);
    EXPECT_EQ(read.held[p].items_of.columns, model.held[p].items_of.columns);
  }
  EXPECT_EQ(read.origin.fingerprint, model.origin.fingerprint);
  EXPECT_EQ(read.origin.options, model.origin.options);
}

TEST(ModelData, AFileWithoutPartsIsAnOlderModel) {
  const Scratch scratch;
  model::save_model(small_model(), scratch.path("m"));
  const model::Model read = model::load_model(scratch.path("m"));
  EXPECT_TRUE(read.held.empty());
  EXPECT_TRUE(read.origin.fingerprint.empty());
  EXPECT_TRUE(model::dataset_of(read).tests.empty());
}

TEST(ModelData, DamagedPartsAreRefused) {
  const Scratch scratch;
  for (const int damage : {0, 1, 2}) {
    model::Model model = model_with_parts();
    data::Csr& rows = model.held[1].items_of;
    if (damage == 0) rows.columns[0] = 4;            // no such item
    if (damage == 1) rows.offsets = {0, 2};          // too few users
    if (damage == 2) rows = {{0, 2, 2, 2}, {3, 1}};  // not ascending
    model::save_model(model, scratch.path("m"));
    EXPECT_THROW(model::load_model(scratch.path("m")), Error) << damage;
  }
}

TEST(ModelData, TheDataSetIsWhatTrainingSaw) {
  const model::Model model = model_with_parts();
  const data::Dataset data = model::dataset_of(model);
  EXPECT_EQ(data.items_of.columns, model.known.columns);
  EXPECT_EQ(data.valid.items_of.columns, model.held[0].items_of.columns);
  ASSERT_EQ(data.tests.size(), 1U);
  EXPECT_EQ(data.tests[0].name, "test_a");
  EXPECT_EQ(data.item_popularity, model.item_popularity);
}

TEST(ModelData, SeenIsTrainedOrHeldOutOnceAndAscending) {
  const model::Model model = model_with_parts();
  const std::vector<Row> users{2, 0, 1, 0};
  const data::Csr seen = model::seen_items(model, users);
  ASSERT_EQ(seen.rows(), 4U);
  const auto row = [&](std::size_t r) {
    return std::vector<Row>(seen.row(r).begin(), seen.row(r).end());
  };
  EXPECT_EQ(row(0), (std::vector<Row>{0, 2}));
  EXPECT_EQ(row(1), (std::vector<Row>{0, 2, 3}));
  EXPECT_EQ(row(2), (std::vector<Row>{1}));
  EXPECT_EQ(row(3), row(1));
}

}  // namespace
}  // namespace evenkeel::testing
