// Folders of parts in any format. In: train, valid and tests; out: one data set, or a sentence.
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "data/load.h"
#include "data/read_messages.h"
#include "data/split.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;
using testing::settings_with;
using Texts = std::vector<std::string>;

Texts texts_of(const Dataset& data, const Csr& part) {
  Texts out;
  for (Row user = 0; user < part.rows(); ++user) {
    for (const Row item : part.row(user)) {
      out.push_back(std::string(data.users.text(user)) + "|" + std::string(data.items.text(item)));
    }
  }
  return out;
}

Dataset load(const Scratch& scratch, const Settings& settings = Settings(data_fields()),
             LoadReport* report = nullptr) {
  Threads threads(2);
  return load_data(scratch.path(), settings, threads, report);
}

std::string refused(const Scratch& scratch, ErrorKind kind, const Settings& settings) {
  return failure_of(kind, [&] { load(scratch, settings); });
}

TEST(Folder, PartsMayBeOfAnyFormatAndIdsGoOn) {
  const Scratch scratch;
  scratch.write("train.csv", "user,item,rating\nb,x,5\nb,y,1\na,y,4\n");
  scratch.write("valid.inter", "user_id:token\titem_id:token\nc\tx\n");
  scratch.write("test_a.dat", "a::v::3\na::w::4\n");
  scratch.write("test_b.txt", "a u v\nb w\n");
  scratch.write("test_c.tsv", "item\tuser\nz\td\n");
  LoadReport report;
  const Dataset data = load(scratch, Settings(data_fields()), &report);
  EXPECT_EQ(texts_of(data, data.items_of), (Texts{"b|x", "b|y", "a|y"}));
  EXPECT_EQ(texts_of(data, data.valid.items_of), (Texts{"c|x"}));
  ASSERT_EQ(data.tests.size(), 3u);
  EXPECT_EQ(texts_of(data, data.tests[0].items_of), (Texts{"a|v", "a|w"}));
  EXPECT_EQ(texts_of(data, data.tests[1].items_of), (Texts{"b|w", "a|v", "a|u"}));
  EXPECT_EQ(texts_of(data, data.tests[2].items_of), (Texts{"d|z"}));
  EXPECT_EQ(data.users.text(2), "c");
  EXPECT_EQ(data.users.text(3), "d");
  expect_holds(report.read.format,
               {"train.csv: delimited (", "valid.inter: inter (", "test_b.txt: adjacency"});
  EXPECT_EQ(report.read_interactions, 10u);
}

TEST(Folder, RowsWithRatingsAndTimesInTrainTxtAreRows) {
  const Scratch scratch;
  scratch.write("train.txt", "196\t242\t3\t881250949\n186\t302\t1\t891717742\n");
  scratch.write("test.txt", "22\t377\t5\t878887116\n");
  const Dataset data = load(scratch);
  EXPECT_EQ(texts_of(data, data.items_of), (Texts{"196|242", "186|302"}));
  EXPECT_EQ(data.item_count(), 3u);
  const Dataset liked = load(scratch, settings_with({{"min-rating", "3"}}));
  EXPECT_EQ(texts_of(liked, liked.items_of), (Texts{"196|242"}));
}

TEST(Folder, UnclearPartsAreReadAsTrainIs) {
  const Scratch scratch;
  scratch.write("train.txt", "1 20 3\n1 30 4\n2 20 5\n2 40 1\n");
  scratch.write("test.txt", "1 50 3\n2 50 4\n");  // each user once: ratings or items
  const Dataset data = load(scratch);
  EXPECT_EQ(texts_of(data, data.tests[0].items_of), (Texts{"1|50", "2|50"}));
  const Scratch lists;
  LoadReport report;
  lists.write("train.txt", "1 20 3\n2 40\n");
  lists.write("test.txt", "1 50 3\n2 50 4\n");
  EXPECT_EQ(load(lists, Settings(data_fields()), &report).tests[0].interactions(), 4u);
  ASSERT_EQ(report.read.doubts.size(), 1u);
  expect_holds(report.read.doubts[0], {"test.txt", "3 words"});
}

TEST(Folder, TwoFilesForOnePartAreRefused) {
  const Scratch scratch;
  scratch.write("train.txt", "a x\n");
  scratch.write("train.csv", "user,item\na,x\n");
  expect_holds(refused(scratch, ErrorKind::kData, Settings(data_fields())),
               {"train.csv and ", "train.txt", "part train"});
}

TEST(Folder, APackedCopyIsTheSamePart) {
  const Scratch scratch;
  scratch.write("train.csv", "user,item\na,x\n");
  gzFile out = gzopen(scratch.path("train.csv.gz").c_str(), "wb");
  gzputs(out, "user,item\nb,y\nb,z\n");
  gzclose(out);
  EXPECT_EQ(load(scratch).interactions(), 1u);
  std::filesystem::remove(scratch.path("train.csv"));
  EXPECT_EQ(load(scratch).interactions(), 2u);
}

TEST(Folder, EmptyPartsAreEmptyAndAnEmptyTrainIsRefused) {
  const Scratch scratch;
  scratch.write("train.csv", "user,item,rating\na,x,5\n");
  scratch.write("valid.csv", "user,item,rating\n");
  scratch.write("test.csv", "");
  EXPECT_EQ(load(scratch).valid.interactions(), 0u);
  expect_holds(refused(scratch, ErrorKind::kData, settings_with({{"min-rating", "6"}})),
               {"train.csv", "--min-rating 6"});
  scratch.write("train.csv", "user,item,rating\n");
  expect_holds(refused(scratch, ErrorKind::kData, Settings(data_fields())),
               {"train.csv", "no interactions"});
}

// Every option on a folder: it changes what is read, or a sentence names it.
TEST(Folder, EveryOptionHoldsOrIsRefused) {
  const Scratch scratch;
  scratch.write("train.csv", "u;i;x;r;when\na;x;k;5;2\na;y;k;1;1\nb;x;l;4;3\n");
  scratch.write("test.csv", "u;i;x;r;when\nb;y;l;2;9\n");
  const auto train = [&](std::string_view name, std::string_view value) {
    const Dataset data = load(scratch, settings_with({{name, value}}));
    return texts_of(data, data.items_of);
  };
  const Texts plain{"a|x", "a|y", "b|x"};
  EXPECT_EQ(train("seed", "1"), plain);
  EXPECT_EQ(train("user-column", "x"), (Texts{"k|x", "k|y", "l|x"}));
  EXPECT_EQ(train("item-column", "2"), (Texts{"a|k", "b|l"}));
  EXPECT_EQ(train("min-rating", "4"), (Texts{"a|x", "b|x"}));
  EXPECT_EQ(train("header", "no").size(), 4u);
  EXPECT_EQ(train("format", "delimited"), plain);
  const Dataset rated =
      load(scratch, settings_with({{"rating-column", "when"}, {"min-rating", "2"}}));
  EXPECT_EQ(texts_of(rated, rated.items_of), (Texts{"a|x", "b|x"}));
  LoadReport report;
  load(scratch, settings_with({{"time-column", "when"}}), &report);
  EXPECT_EQ(report.read.columns.time, "'when'");
  for (const auto& [name, value] :
       std::map<std::string_view, std::string_view>{{"user-column", "who"},
                                                    {"item-column", "9"},
                                                    {"rating-column", "stars"},
                                                    {"time-column", "date"},
                                                    {"separator", "tab"},
                                                    {"format", "inter"}}) {
    EXPECT_NE(refused(scratch, ErrorKind::kData, settings_with({{name, value}})), "") << name;
  }
  expect_holds(refused(scratch, ErrorKind::kConfig, settings_with({{"split", "temporal"}})),
               {"--split is temporal", "folder that is split already"});
  expect_holds(refused(scratch, ErrorKind::kConfig, settings_with({{"k-core", "2"}})),
               {"--k-core is 2"});
  scratch.write("test.csv", "u;i;x;r;when\nb;y;l;2;9\nbad\n");
  expect_holds(refused(scratch, ErrorKind::kData, Settings(data_fields())), {"test.csv:3"});
  EXPECT_EQ(train("on-bad-row", "skip"), plain);
}

TEST(Folder, WhatSplitWroteIsAdjacencyWhateverLiesBesideIt) {
  const Scratch scratch;
  const std::string log = scratch.write("log.csv", "user,item\na,x\na,y\nb,x\nb,y\nc,x\nc,z\n");
  Threads threads(1);
  const auto outcome =
      split_file(log, scratch.path("out"), settings_with({{"split", "random"}}), threads);
  scratch.write("out/test_notes.csv", "nothing to read");
  const auto load_out = [&](const Settings& settings) {
    return load_data(scratch.path("out"), settings, threads);
  };
  EXPECT_EQ(load_out(Settings(data_fields())).tests.size(), 1u);
  EXPECT_EQ(load_out(settings_with({{"format", "adjacency"}})).interactions(),
            outcome.data.interactions());
  for (const auto& [name, value] :
       std::map<std::string_view, std::string_view>{{"format", "delimited"},
                                                    {"user-column", "0"},
                                                    {"item-column", "1"},
                                                    {"rating-column", "2"},
                                                    {"time-column", "3"},
                                                    {"min-rating", "3"},
                                                    {"separator", "space"},
                                                    {"header", "no"},
                                                    {"split", "balanced"},
                                                    {"k-core", "2"}}) {
    const std::string sentence = failure_of(ErrorKind::kConfig, [&] {
      load_out(settings_with({{name, value}}));
    });
    expect_holds(sentence, {fmt::format("--{} is {}", name, value)});
  }
}

TEST(ReadMessages, SayHowAndWhatIsNotLookedAt) {
  const Scratch scratch;
  scratch.write("train.csv",
                "# by hand\nuser,item,stars\na,x,5\na,x,4\nuser,item,stars\nb,y\nbad\n");
  LoadReport report;
  load(scratch, settings_with({{"on-bad-row", "skip"}}), &report);
  const auto messages = read_messages(report);
  ASSERT_EQ(messages.size(), 6u);
  expect_holds(messages[0], {"read 7 lines as delimited", "rating 'stars' (not read)"});
  expect_holds(messages[1], {"'stars'", "every row counts as positive", "--min-rating"});
  EXPECT_EQ(messages[2], "1 repeated pairs merged");
  EXPECT_EQ(messages[3], "comments (lines with # in front): 1");
  EXPECT_EQ(messages[4], "the header comes 1 more time and is passed over");
  expect_holds(messages[5], {"1 rows could not be read", "train.csv:7"});
  load(scratch, settings_with({{"on-bad-row", "skip"}, {"min-rating", "1"}}), &report);
  for (const std::string& message : read_messages(report)) {
    EXPECT_EQ(message.find("counts as positive"), std::string::npos) << message;
  }
}

TEST(Folder, FilesThatLookLikePartsAreNamed) {
  for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
           {"validation.txt", "valid"}, {"val.txt", "valid"}, {"Test_ID.txt", "test_id"}}) {
    const Scratch scratch;
    scratch.write("train.txt", "0 1 2 3\n1 2 3 4\n2 1 4\n");
    scratch.write(name, "0 4\n");
    expect_holds(refused(scratch, ErrorKind::kData, Settings(data_fields())), {name, part + ".*"});
  }
  const Scratch scratch;
  scratch.write("train.txt", "0 1 2 3\n1 2 3 4\n2 1 4\n");
  scratch.write("valid.txt", "0 4\n");
  scratch.write("valid_id.txt", "0 4\n");
  scratch.write("validation.csv", "0,4\n");
  LoadReport report;
  EXPECT_EQ(load(scratch, Settings(data_fields()), &report).valid.interactions(), 1U);
  const Texts& told = report.read.doubts;
  ASSERT_GE(told.size(), 2U);
  expect_holds(told[told.size() - 2], {"valid_id.txt", "not read"});
  expect_holds(told.back(), {"validation.csv", "not read"});
  for (const std::string& text : told) {
    EXPECT_EQ(text.find("/valid.txt is not read"), std::string::npos) << text;
  }
  const Scratch empty;
  empty.write("log.jsonl", "{}\n");
  expect_holds(refused(empty, ErrorKind::kData, Settings(data_fields())), {".jsonl", ".ndjson"});
}

}  // namespace
}  // namespace evenkeel::data
