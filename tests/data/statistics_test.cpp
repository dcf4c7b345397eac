// Statistics and groups. In: data sets; out: counts, D_KL as published, thirds.
#include "data/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/groups.h"
#include "data/load.h"
#include "real_data.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

Statistics real_statistics(const char* name) {
  Threads threads(2);
  return make_statistics(load_data((testing::shared_folder() / "data" / name).string(),
                                   Settings(data_fields()), threads));
}

TEST(Statistics, YahooHasThePublishedLongTailDegree) {
  EVENKEEL_NEEDS_SHARED("data/yahoo-r3");
  const Statistics found = real_statistics("yahoo-r3");
  ASSERT_EQ(found.parts.size(), 4u);
  EXPECT_EQ(rounded(found.parts[0].dkl_grouped), 0.854);
  EXPECT_EQ(rounded(found.parts[1].dkl_grouped), 0.822);
  EXPECT_EQ(rounded(found.parts[2].dkl_grouped), 0.100);
  EXPECT_EQ(rounded(found.parts[3].dkl_grouped), 0.100);
  EXPECT_NEAR(found.parts[0].dkl, 0.8660, 5e-5);
  EXPECT_NEAR(found.parts[1].dkl, 0.8516, 5e-5);
  EXPECT_NEAR(found.parts[2].dkl, 0.3084, 5e-5);
  EXPECT_EQ(found.interactions, 129748u);
  EXPECT_NEAR(found.density, 0.00902, 5e-6);
}

TEST(Statistics, CoatHasThePublishedLongTailDegree) {
  EVENKEEL_NEEDS_SHARED("data/coat");
  const Statistics found = real_statistics("coat");
  EXPECT_EQ(rounded(found.parts[0].dkl_grouped), 0.356);
  EXPECT_EQ(rounded(found.parts[1].dkl_grouped), 0.350);
  EXPECT_EQ(rounded(found.parts[2].dkl_grouped), 0.109);
  EXPECT_NEAR(found.parts[0].dkl, 0.3437, 5e-5);
  EXPECT_NEAR(found.parts[1].dkl, 0.6642, 5e-5);
  EXPECT_EQ(found.users, 290u);
  EXPECT_EQ(found.items, 295u);
  EXPECT_EQ(found.interactions, 2674u);  // 102 pairs stand in two parts
}

TEST(Statistics, DklOfSmallDistributions) {
  EXPECT_DOUBLE_EQ(dkl_from_uniform(std::vector<std::uint64_t>{5, 5, 5, 5}), 0);
  EXPECT_NEAR(dkl_from_uniform(std::vector<std::uint64_t>{8, 0, 0, 0}), std::log(4.0), 1e-12);
  EXPECT_NEAR(dkl_from_uniform(std::vector<std::uint64_t>{3, 1}),
              0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-12);
  EXPECT_EQ(dkl_from_uniform(std::vector<std::uint64_t>{0, 0}), 0);
  // 100 items, all interactions in the most popular two: one of 50 groups.
  std::vector<std::uint64_t> counts(100);
  std::vector<std::uint32_t> popularity(100);
  counts[40] = counts[41] = popularity[40] = popularity[41] = 7;
  EXPECT_NEAR(dkl_grouped(counts, popularity), std::log(50.0), 1e-12);
}

// 120 items make 40 groups of 3, by training popularity with ties to the earlier row; 10 groups of
// the 50 are empty. The test has 3 of 4 interactions in the first group and 1 in the second.
TEST(Statistics, GroupsOfDklFollowTheTrainingPopularity) {
  const testing::Scratch scratch;
  std::string train = "a";
  for (int item = 0; item < 120; ++item) train += " i" + std::to_string(item);
  scratch.write("train.txt",
                train + "\nb i7 i90 i33 i50\nc i7\n");  // then i7, i33, i50, i90, i0, ...
  scratch.write("test.txt", "d i7 i33 i50\ne i90\n");
  Threads threads(1);
  const auto found = make_statistics(load_data(scratch.path(), Settings(data_fields()), threads));
  ASSERT_EQ(found.items, 120u);
  ASSERT_EQ(found.parts.size(), 2u);
  EXPECT_NEAR(found.parts[1].dkl_grouped, 0.75 * std::log(0.75 * 50) + 0.25 * std::log(0.25 * 50),
              1e-12);
  EXPECT_NEAR(found.parts[1].dkl, std::log(120.0 / 4), 1e-12);
}

TEST(Statistics, CountsPartsAndJson) {
  const testing::Scratch scratch;
  scratch.write("train.txt", "a x y\nb x\n");
  scratch.write("valid.txt", "a z\n");
  scratch.write("test_new.txt", "c x\n");
  Threads threads(1);
  const auto found = make_statistics(load_data(scratch.path(), Settings(data_fields()), threads));
  EXPECT_EQ(found.users, 3u);
  EXPECT_EQ(found.items, 3u);
  EXPECT_EQ(found.interactions, 5u);
  EXPECT_DOUBLE_EQ(found.density, 5.0 / 9);
  const auto json = to_json(found);
  EXPECT_EQ(json.at("parts").at("train").at("users"), 2);
  EXPECT_EQ(json.at("parts").at("train").at("items"), 2);
  EXPECT_EQ(json.at("parts").at("test_new").at("interactions"), 1);
  EXPECT_TRUE(json.at("parts").at("valid").at("dkl_grouped").is_number());
}

TEST(Groups, ThirdsByCountWithTiesToTheLowerRow) {
  const std::vector<std::uint32_t> popularity{5, 1, 9, 5, 5, 0, 2};
  EXPECT_EQ(rows_by_popularity(popularity), (std::vector<Row>{2, 0, 3, 4, 6, 1, 5}));
  EXPECT_EQ(popularity_thirds(popularity), (std::vector<std::uint8_t>{0, 2, 0, 0, 1, 2, 1}));
  EXPECT_TRUE(popularity_thirds({}).empty());
  EXPECT_EQ(popularity_thirds(std::vector<std::uint32_t>{1}), (std::vector<std::uint8_t>{0}));
}

}  // namespace
}  // namespace evenkeel::data
