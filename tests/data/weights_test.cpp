// In: logs whose rows count more or less. Out: weights that follow their pairs through merging,
// filtering and cutting, and a sentence for those that are none.
#include <gtest/gtest.h>

#include <cmath>

#include "data/kcore.h"
#include "data/load.h"
#include "data/options.h"
#include "data/prepare.h"
#include "data/scratch.h"
#include "data/split.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;

Settings weighted(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  Settings settings(data_fields());
  settings.add(weight_fields());
  const Field validation[] = {validation_field()};
  settings.add(validation);
  for (const auto& [name, value] : values) settings.set(name, value);
  return settings;
}

Interactions read(const std::string& file, const Settings& settings) {
  Threads threads(2);
  return read_interactions(file, read_options(settings), threads);
}

TEST(Weights, RowsOfAPairAddUp) {
  const Scratch scratch;
  const std::string file =
      scratch.write("log.csv", "user,item,count\na,x,2\nb,x,1\na,x,0.5\na,y,0\n");
  const Interactions log = read(file, weighted({{"weight-column", "count"}}));
  EXPECT_EQ(testing::pair_texts(log), (std::vector<std::string>{"a|x", "b|x", "a|y"}));
  EXPECT_EQ(log.weights, (std::vector<float>{2.5F, 1.0F, 0.0F}));
  EXPECT_EQ(log.report.columns.weight, "'count'");
  EXPECT_TRUE(read(file, weighted({})).weights.empty());
  EXPECT_EQ(read(file, weighted({{"weight-column", "2"}})).weights, log.weights);
}

TEST(Weights, HalveWithAge) {
  const Scratch scratch;
  const std::string text =
      "user,item,time\na,x,2024-01-01\nb,x,2024-01-31\nc,x,2023-12-02\nc,x,2024-01-31\n";
  const std::string file = scratch.write("log.csv", text);
  const Interactions log = read(file, weighted({{"half-life", "30d"}}));
  ASSERT_EQ(log.weights.size(), 3U);
  EXPECT_FLOAT_EQ(log.weights[0], 0.5F);
  EXPECT_FLOAT_EQ(log.weights[1], 1.0F);
  EXPECT_FLOAT_EQ(log.weights[2], 1.0F) << "without a weight column the newest row counts";
  EXPECT_EQ(log.times[2], log.times[0] - 30 * 86400) << "splits go by the earliest";
  // Both together multiply, and rows add up; times without a unit of their own.
  const std::string counted =
      scratch.write("counted.csv", "user,item,time,n\na,x,0,8\nb,x,20,4\na,x,10,2\n");
  const Interactions both = read(counted, weighted({{"half-life", "10"}, {"weight-column", "n"}}));
  EXPECT_FLOAT_EQ(both.weights[0], 8 * 0.25F + 2 * 0.5F);
  EXPECT_FLOAT_EQ(both.weights[1], 4.0F);
}

TEST(Weights, TimesInMillisecondsAreKnown) {
  const Scratch scratch;
  for (const auto& [day, unit] : std::vector<std::pair<double, const char*>>{
           {86400.0, ""}, {86400e3, "000"}, {86400e6, "000000"}}) {
    const std::string newest = std::string("1700000000") + unit;
    const std::string older = fmt::format("{:.0f}", std::stod(newest) - day);
    const std::string file =
        scratch.write("log.csv", fmt::format("user,item,time\na,x,{}\nb,x,{}\n", newest, older));
    EXPECT_NEAR(read(file, weighted({{"half-life", "24h"}})).weights[1], 0.5F, 1e-4F) << unit;
  }
}

TEST(Weights, WhatIsNoWeightIsNamedWithFileAndLine) {
  const Scratch scratch;
  for (const char* bad : {"-1", "nan", "inf", "much", "", "1e300"}) {
    const std::string file =
        scratch.write("log.csv", std::string("user,item,w\na,x,1\nb,y,") + bad + "\nc,x,1\n");
    const std::string text = failure_of(ErrorKind::kData, [&] {
      read(file, weighted({{"weight-column", "w"}}));
    });
    expect_holds(text, {"log.csv:3", std::string("'") + bad + "'", "'w'"});
    const Interactions log = read(file, weighted({{"weight-column", "w"}, {"on-bad-row", "skip"}}));
    EXPECT_EQ(log.pairs.size(), 2U);
    EXPECT_EQ(log.weights.size(), 2U);
    EXPECT_EQ(log.report.bad_rows, 1U);
  }
  const std::string zero = scratch.write("zero.csv", "user,item,w\na,x,0\nb,y,0\n");
  expect_holds(failure_of(ErrorKind::kData,
                          [&] {
                            read(zero, weighted({{"weight-column", "w"}}));
                          }),
               {"zero.csv", "every weight", "'w'"});
}

TEST(Weights, AreReadOrRefused) {
  const Scratch scratch;
  const std::string table = scratch.write("log.csv", "user,item,w\na,x,1\nb,y,2\n");
  const std::string lines = scratch.write("lines.txt", "1 2 3 4\n2 3\n3 9 8 7 6\n");
  const auto refused = [&](const std::string& path, const Settings& settings, ErrorKind kind) {
    Threads threads(1);
    return failure_of(kind, [&] { load_data(path, settings, threads); });
  };
  expect_holds(refused(table, weighted({{"weight-column", "v"}}), ErrorKind::kData),
               {"no column 'v' for --weight-column"});
  expect_holds(refused(table, weighted({{"weight-column", "user"}}), ErrorKind::kConfig),
               {"--weight-column is the user column"});
  expect_holds(refused(table, weighted({{"half-life", "30d"}}), ErrorKind::kData), {"time"});
  expect_holds(refused(lines, weighted({{"weight-column", "1"}, {"format", "adjacency"}}),
                       ErrorKind::kConfig),
               {"--weight-column", "lines.txt"});
  expect_holds(
      refused(lines, weighted({{"half-life", "3d"}, {"format", "adjacency"}}), ErrorKind::kConfig),
      {"--half-life", "lines.txt"});
  scratch.write("folder/train.txt", "1 2 3\n");
  expect_holds(
      refused(scratch.path("folder"), weighted({{"weight-column", "w"}}), ErrorKind::kConfig),
      {"--weight-column", "folder"});
  Threads threads(1);
  prepare({.files = {table}, .out = scratch.path("prepared")}, Settings(data_fields()), threads);
  expect_holds(
      refused(scratch.path("prepared"), weighted({{"weight-column", "w"}}), ErrorKind::kConfig),
      {"--weight-column", "prepared"});
  for (const char* bad : {"0d", "-3d", "d", "3y", "nan", "3 d", "inf"}) {
    expect_holds(failure_of(ErrorKind::kConfig, [&] { parse_half_life(bad); }),
                 {std::string("'") + bad + "'", "30d"});
  }
}

// Each pair's weight is a function of its ids, so that any mix-up shows.
TEST(Weights, FollowTheirPairsIntoEveryPart) {
  const Scratch scratch;
  std::string text = "user,item,w\n";
  const auto weight = [](std::string_view user, std::string_view item) {
    return static_cast<float>(std::stoi(std::string(user)) * 100 + std::stoi(std::string(item)));
  };
  for (int n = 0; n < 400; ++n) {
    const int user = n * 7 % 23, item = n * n % 31;
    text += fmt::format("{},{},{}\n", user, item, user * 100 + item);
  }
  const std::string file = scratch.write("log.csv", text);
  Threads threads(2);
  const Interactions log = read(file, weighted({}));
  std::map<std::string, int> repeats;
  for (int n = 0; n < 400; ++n) ++repeats[fmt::format("{}|{}", n * 7 % 23, n * n % 31)];
  const auto check = [&](const Dataset& data, const Csr& rows) {
    ASSERT_EQ(rows.weights.size(), rows.size());
    for (std::size_t u = 0; u < rows.rows(); ++u) {
      for (std::uint64_t at = rows.offsets[u]; at < rows.offsets[u + 1]; ++at) {
        const auto user = data.users.text(static_cast<Row>(u));
        const auto item = data.items.text(rows.columns[at]);
        const int times = repeats.at(fmt::format("{}|{}", user, item));
        EXPECT_EQ(rows.weights[at], weight(user, item) * static_cast<float>(times));
      }
    }
  };
  for (const char* split : {"random", "balanced", "leave-one-out", "none"}) {
    const Dataset data = load_for_training(
        file, weighted({{"weight-column", "w"}, {"split", split}, {"k-core", "3"}}), threads);
    check(data, data.items_of);
    check(data, data.valid.items_of);
    for (const Part& test : data.tests) check(data, test.items_of);
    const Dataset held = hold_out_validation(data, 0.2, 5);
    check(held, held.items_of);
    check(held, held.valid.items_of);
    const Dataset all = merge_into_train(data, true);
    check(all, all.items_of);
  }
  const Dataset one = load_data(file, weighted({{"weight-column", "w"}}), threads);
  const Dataset plain = load_data(file, weighted({}), threads);
  EXPECT_EQ(fingerprint(one), fingerprint(plain)) << "the same pairs";
  EXPECT_NE(training_fingerprint(one), training_fingerprint(plain));
  EXPECT_EQ(training_fingerprint(plain), fingerprint(plain));
}

}  // namespace
}  // namespace evenkeel::data
