// Loading DATA. In: folders and files on disk; out: the data set, row by row.
#include "data/load.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "data/split.h"
#include "real_data.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;
using testing::settings_with;

void expect_same(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.columns, b.columns);
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.users.bytes(), b.users.bytes());
  EXPECT_EQ(a.users.offsets(), b.users.offsets());
  EXPECT_EQ(a.items.bytes(), b.items.bytes());
  EXPECT_EQ(a.items.offsets(), b.items.offsets());
  expect_same(a.items_of, b.items_of);
  expect_same(a.users_of, b.users_of);
  EXPECT_EQ(a.item_popularity, b.item_popularity);
  EXPECT_EQ(a.user_popularity, b.user_popularity);
  expect_same(a.valid.items_of, b.valid.items_of);
  ASSERT_EQ(a.tests.size(), b.tests.size());
  for (std::size_t t = 0; t < a.tests.size(); ++t) {
    EXPECT_EQ(a.tests[t].name, b.tests[t].name);
    expect_same(a.tests[t].items_of, b.tests[t].items_of);
  }
}

// 40 users by 30 items with ids that no plain token could hold.
std::string awkward_log() {
  std::string text = "user,item,rating,timestamp\n";
  for (int u = 0; u < 40; ++u) {
    for (int i = 0; i < 30; ++i) {
      if ((u * 7 + i * 11) % 5 != 0 && i > u % 9) continue;
      text += fmt::format("\"Us\xc3\xa9r, {}\",\"the \"\"{}\"\" item \",{},{}\n", u, i, i % 5 + 1,
                          1000 + (u * 31 + i * 17) % 500);
    }
  }
  return text;
}

TEST(LoadData, YahooFolderHasThePublishedCounts) {
  EVENKEEL_NEEDS_SHARED("data/yahoo-r3");
  Threads threads(2);
  const Settings settings(data_fields());
  const Dataset data =
      load_data((testing::shared_folder() / "data/yahoo-r3").string(), settings, threads);
  EXPECT_EQ(data.name, "yahoo-r3");
  EXPECT_EQ(data.user_count(), 14382u);
  EXPECT_EQ(data.item_count(), 1000u);
  EXPECT_EQ(data.interactions(), 88684u);
  EXPECT_EQ(data.valid.interactions(), 36393u);
  ASSERT_EQ(data.tests.size(), 2u);
  EXPECT_EQ(data.tests[0].name, "test_id");
  EXPECT_EQ(data.tests[1].name, "test_ood");
  EXPECT_EQ(data.tests[1].interactions(), 4671u);
}

TEST(LoadData, FolderNumbersOverTrainValidTests) {
  const Scratch scratch;
  scratch.write("d/train.txt", "b x y\na y y\n");
  scratch.write("d/valid.txt", "c x w\n");
  scratch.write("d/test_b.txt", "a v\n");
  scratch.write("d/test_a.txt", "e u\nb x\n");
  scratch.write("d/notes.txt", "not a part\n");
  Threads threads(2);
  LoadReport report;
  const Dataset data = load_data(scratch.path("d/"), Settings(data_fields()), threads, &report);
  EXPECT_EQ(data.name, "d");
  EXPECT_EQ(data.users.bytes(), "bace");
  EXPECT_EQ(data.items.bytes(), "xywuv");
  EXPECT_EQ(data.item_popularity, (std::vector<std::uint32_t>{1, 2, 0, 0, 0}));
  EXPECT_EQ(data.user_popularity, (std::vector<std::uint32_t>{2, 1, 0, 0}));
  ASSERT_EQ(data.tests.size(), 2u);
  EXPECT_EQ(data.tests[0].name, "test_a");
  EXPECT_TRUE(data.tests[0].items_of.contains(3, 3));  // a test user unseen in training
  EXPECT_TRUE(data.tests[0].items_of.contains(0, 0));  // also in train: kept as given
  EXPECT_EQ(report.read.duplicates, 1u);
  EXPECT_EQ(report.read.lines, 6u);
  EXPECT_EQ(report.read_interactions, 8u);
}

TEST(LoadData, FolderPartsMayBePacked) {
  const Scratch scratch;
  const std::string text = "a x\nb y z\n";
  gzFile out = gzopen(scratch.path("train.txt.gz").c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  Threads threads(1);
  EXPECT_EQ(load_data(scratch.path(), Settings(data_fields()), threads).interactions(), 3u);
}

TEST(LoadData, EmptyValidationIsNoValidation) {
  const Scratch scratch;
  scratch.write("train.txt", "a x\n");
  scratch.write("valid.txt", "");
  Threads threads(1);
  EXPECT_EQ(load_data(scratch.path(), Settings(data_fields()), threads).valid.interactions(), 0u);
}

TEST(LoadData, KCoreOfAFolderIsRefused) {
  const Scratch scratch;
  scratch.write("train.txt", "a x\n");
  Threads threads(1);
  expect_holds(failure_of(ErrorKind::kConfig,
                          [&] {
                            load_data(scratch.path(), settings_with({{"k-core", "5"}}), threads);
                          }),
               {"--k-core is 5", "folder"});
}

TEST(LoadData, SingleFileIsSplitAtRandom) {
  const Scratch scratch;
  const std::string file = scratch.write("my.log.csv", awkward_log());
  Threads one(1), five(5);
  LoadReport report;
  const Dataset data = load_data(file, Settings(data_fields()), one, &report);
  EXPECT_EQ(data.name, "my");
  ASSERT_EQ(data.tests.size(), 1u);
  EXPECT_EQ(data.tests[0].name, "test");
  const std::size_t total = report.read_interactions;
  EXPECT_EQ(data.interactions() + data.valid.interactions() + data.tests[0].interactions(), total);
  EXPECT_NEAR(double(data.interactions()), 0.8 * double(total), 1.0);
  EXPECT_GT(report.read.bytes, 1000u);
  expect_same(data, load_data(file, Settings(data_fields()), five));
  const Dataset other = load_data(file, settings_with({{"seed", "2"}}), one);
  EXPECT_NE(other.items_of.columns, data.items_of.columns);
}

TEST(LoadData, SplitFolderEqualsTheSplitInMemory) {
  for (const std::string_view protocol : {"random", "balanced", "temporal", "leave-one-out"}) {
    const Scratch scratch;
    const std::string file = scratch.write("log.csv", awkward_log());
    const Settings settings =
        settings_with({{"split", protocol}, {"k-core", "3"}, {"min-rating", "2"}, {"seed", "9"}});
    Threads threads(2);
    const SplitOutcome outcome = split_file(file, scratch.path("out"), settings, threads);
    const Dataset back = load_data(scratch.path("out"), Settings(data_fields()), threads);
    expect_same(outcome.data, back);
    expect_same(outcome.data, load_data(file, settings, threads));
    EXPECT_TRUE(back.users.find("Us\xc3\xa9r, 7").has_value());
    EXPECT_TRUE(back.items.find("the \"7\" item ").has_value());
    EXPECT_EQ(outcome.manifest.at("protocol"), protocol);
    EXPECT_EQ(outcome.manifest.at("k_core"), 3);
    EXPECT_EQ(outcome.manifest.at("counts").at("train"), back.interactions());
    EXPECT_EQ(outcome.manifest.at("source").at("file"), "log.csv");
    std::ifstream manifest(scratch.path("out/manifest.json"));
    EXPECT_EQ(nlohmann::json::parse(manifest), outcome.manifest);
  }
}

TEST(LoadData, SplitReplacesASplitAndNothingElse) {
  const Scratch scratch;
  const std::string file = scratch.write("log.csv", awkward_log());
  const std::string out = scratch.path("out");
  Threads threads(1);
  split_file(file, out, settings_with({{"split", "balanced"}}), threads);
  split_file(file, out, settings_with({{"split", "random"}}), threads);
  EXPECT_FALSE(std::filesystem::exists(out + "/test_ood.txt"));
  EXPECT_TRUE(std::filesystem::exists(out + "/test.txt"));
  scratch.write("out/precious.txt", "keep me");
  const std::string sentence =
      failure_of(ErrorKind::kRun, [&] { split_file(file, out, Settings(data_fields()), threads); });
  expect_holds(sentence, {"precious.txt", "new folder"});
  EXPECT_TRUE(std::filesystem::exists(out + "/precious.txt"));
  EXPECT_TRUE(std::filesystem::exists(out + "/train.txt"));
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    entries += entry.exists() ? 1 : 0;
  }
  EXPECT_EQ(entries, 2u) << "something half-written is left";
  expect_holds(
      failure_of(ErrorKind::kRun,
                 [&] { split_file(file, "/proc/no/out", Settings(data_fields()), threads); }),
      {"/proc/no/out"});
}

TEST(LoadData, AUserWithEveryItemAndAnItemNeverTrained) {
  const Scratch scratch;
  scratch.write("train.txt", "all a b c d\none a\n");
  scratch.write("test.txt", "one e\n");
  Threads threads(1);
  const Dataset data = load_data(scratch.path(), Settings(data_fields()), threads);
  EXPECT_EQ(data.items_of.count(0), 4u);
  EXPECT_EQ(data.item_popularity[4], 0u);
}

TEST(HoldOut, MovesAFractionAndNeverTheLastOne) {
  const Scratch scratch;
  const std::string file = scratch.write("log.csv", awkward_log());
  std::string train = "lonely only\n";
  for (int u = 0; u < 60; ++u) {
    train += fmt::format("u{}", u);
    for (int i = 0; i < 40; ++i) train += fmt::format(" i{}", (u * 3 + i) % 70);
    train += "\n";
  }
  scratch.write("d/train.txt", train);
  Threads threads(1);
  const Dataset data = load_data(scratch.path("d"), Settings(data_fields()), threads);
  const Dataset held = hold_out_validation(data, 0.2, 4);
  EXPECT_EQ(held.interactions() + held.valid.interactions(), data.interactions());
  EXPECT_NEAR(double(held.valid.interactions()), 0.2 * double(data.interactions()), 70);
  for (std::size_t u = 0; u < held.user_count(); ++u) {
    EXPECT_GE(held.items_of.count(u), 1u);
    EXPECT_EQ(held.user_popularity[u], held.items_of.count(u));
    for (const Row item : held.valid.items_of.row(u)) {
      EXPECT_TRUE(data.items_of.contains(u, item));
      EXPECT_FALSE(held.items_of.contains(u, item));
    }
  }
  for (std::size_t i = 0; i < held.item_count(); ++i) {
    EXPECT_GE(held.users_of.count(i), 1u);
    EXPECT_EQ(held.item_popularity[i], held.users_of.count(i));
  }
  expect_same(held, hold_out_validation(data, 0.2, 4));
  EXPECT_NE(hold_out_validation(data, 0.2, 5).items_of.columns, held.items_of.columns);
  expect_same(hold_out_validation(data, 1.0, 4).users_of,
              hold_out_validation(data, 1.0, 4).users_of);
  expect_same(held, hold_out_validation(held, 0.5, 1));  // validation exists: nothing happens
}

}  // namespace
}  // namespace evenkeel::data
