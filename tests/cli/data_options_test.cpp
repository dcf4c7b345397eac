// Options of DATA. In: every one of them, on a file and on a folder, for every command that reads;
// out: another result or a sentence, never silence.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"
#include "data/options.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

// Columns enough for every option: two kinds of users, items, ratings and times each.
std::string wide_log() {
  std::string text = "user|item|other|stars|points|date|day\n";
  for (int n = 0; n < 120; ++n) {
    text += "u" + std::to_string(n % 17) + "|i" + std::to_string(n * 7 % 23) + "|o" +
            std::to_string(n % 5) + "|" + std::to_string(n % 5 + 1) + "|" +
            std::to_string(n % 3 + 1) + "|" + std::to_string(2000 - n) + "|" +
            std::to_string(1000 + n * 37 % 101) + "\n";
  }
  return text;
}

// A value for each option that must change something; where two must go together, both.
const std::map<std::string, std::vector<std::string>> kOptions{
    {"format", {"--format", "adjacency"}},     {"user-column", {"--user-column", "other"}},
    {"item-column", {"--item-column", "2"}},   {"rating-column", {"--rating-column", "points"}},
    {"time-column", {"--time-column", "day"}}, {"min-rating", {"--min-rating", "4"}},
    {"separator", {"--separator", ":"}},       {"header", {"--header", "no"}},
    {"on-bad-row", {"--on-bad-row", "skip"}},  {"k-core", {"--k-core", "6"}},
    {"split", {"--split", "temporal"}},        {"seed", {"--seed", "5"}},
};

class DataOptions : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "log.csv", wide_log());
    fs::create_directory(folder_ / "parts");
    write_text(folder_ / "parts/train.csv", wide_log());
    write_text(folder_ / "parts/test.csv",
               "user|item|other|stars|points|date|day\nu1|i2|o3|4|5|6|7\n");
    fs::create_directory(folder_ / "lists");
    write_text(folder_ / "lists/train.txt", "u1 a b\nu2 a\nu3 b c\n");
  }
  std::string path(const std::string& name) const { return folder_ / name; }

  // What stats prints for a program, without speeds.
  static Finished stats(const std::string& data, const std::vector<std::string>& more) {
    std::vector<std::string> words{"stats", data, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    Finished finished = run_binary(words);
    if (finished.exit_code != 0) return finished;
    json answer = json::parse(finished.out);
    answer["read"].erase("seconds");
    answer["read"].erase("megabytes_per_second");
    finished.out = answer.dump();
    return finished;
  }
  static void expect_effect(const Finished& with, const Finished& without,
                            const std::string& name) {
    if (with.exit_code == 0) {
      EXPECT_NE(with.out, without.out) << "--" << name << " is ignored";
    } else {
      EXPECT_TRUE(with.exit_code == 2 || with.exit_code == 3) << name << with.err;
      EXPECT_TRUE(contains(with.err, "evenkeel: error: ")) << with.err;
    }
  }

  TempFolder folder_;
};

TEST_F(DataOptions, TheListIsComplete) {
  ASSERT_FALSE(data::data_fields().empty());
  for (const Field& field : data::data_fields()) {
    EXPECT_TRUE(kOptions.contains(std::string(field.name))) << field.name;
  }
}

TEST_F(DataOptions, StatsObeysOrRefusesOnFilesAndFolders) {
  for (const char* name : {"log.csv", "parts"}) {
    const Finished without = stats(path(name), {});
    ASSERT_EQ(without.exit_code, 0) << without.err;
    for (const auto& [option, words] : kOptions) {
      if (option == "on-bad-row") continue;  // below: there must be a bad row
      expect_effect(stats(path(name), words), without, option);
    }
  }
  for (const auto& [option, words] : kOptions) {
    if (option == "on-bad-row" || option == "format") continue;
    const Finished refused = stats(path("lists"), words);
    EXPECT_EQ(refused.exit_code, 2) << option << refused.out;
    EXPECT_TRUE(contains(refused.err, "--" + option)) << refused.err;
  }
  expect_effect(stats(path("lists"), {"--format", "delimited"}), stats(path("lists"), {}),
                "format");
}

TEST_F(DataOptions, BadRowsAreSkippedInFilesAndFolders) {
  write_text(path("log.csv"), wide_log() + "bad\n");
  write_text(path("parts/test.csv"), "user|item\nu1|i2\nbad\n");
  for (const char* name : {"log.csv", "parts"}) {
    EXPECT_EQ(stats(path(name), {}).exit_code, 3);
    const Finished skipped = stats(path(name), {"--on-bad-row", "skip"});
    ASSERT_EQ(skipped.exit_code, 0) << skipped.err;
    EXPECT_EQ(json::parse(skipped.out)["read"]["bad_rows"], 1);
  }
}

TEST_F(DataOptions, TrainObeysOrRefusesOnFilesAndFolders) {
  const auto train = [&](const std::string& data, const std::vector<std::string>& more) {
    std::vector<std::string> words{"train",       data,     "--out",   path("run"),
                                   "--overwrite", "--loss", "most-pop"};
    words.insert(words.end(), more.begin(), more.end());
    Finished finished = run_binary(words);
    // The model, and how the data was read: the first line of the messages.
    finished.out =
        read_text(path("run/model.safetensors")) + finished.err.substr(0, finished.err.find('\n'));
    return finished;
  };
  for (const char* name : {"log.csv", "parts"}) {
    const Finished without = train(path(name), {});
    ASSERT_EQ(without.exit_code, 0) << without.err;
    for (const auto& [option, words] : kOptions) {
      if (option != "on-bad-row") expect_effect(train(path(name), words), without, option);
    }
  }
}

TEST_F(DataOptions, SplitObeysOrRefuses) {
  const auto split = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"split", path("log.csv"), "--k-core", "0", "--out", path("out")};
    words.insert(words.end(), more.begin(), more.end());
    Finished finished = run_binary(words);
    if (finished.exit_code != 0) return finished;
    finished.out = finished.err.substr(0, finished.err.find(" MB in "));
    for (const char* part : {"train.txt", "valid.txt", "test.txt", "users.csv", "items.csv"}) {
      finished.out += read_text(path("out/") + part);
    }
    return finished;
  };
  const Finished without = split({});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  for (auto [option, words] : kOptions) {
    if (option == "on-bad-row") continue;
    if (option == "split") words[0] = "--protocol";
    expect_effect(split(words), without, option);
  }
  expect_error(run_binary({"split", path("parts"), "--out", path("out")}), 3, {"is a folder"});
}

TEST_F(DataOptions, WordsThatCutAreRefusedForAFolderEvenWhenTheyAreTheDefault) {
  expect_error(run_binary({"stats", path("parts"), "--split", "random"}), 2, {"--split", "folder"});
  expect_error(run_binary({"stats", path("parts"), "--seed", "1"}), 2, {"--seed", "folder"});
  expect_error(run_binary({"train", path("parts"), "--out", path("run"), "--split", "random"}), 2,
               {"--split", "folder"});
  EXPECT_FALSE(fs::exists(path("run")));
}

TEST_F(DataOptions, AShareForValidationIsRefusedBesideAValidationPart) {
  const std::vector<std::string> words{"train",  path("parts"), "--out",        path("run"),
                                       "--loss", "most-pop",    "--validation", "0.2"};
  EXPECT_EQ(run_binary(words).exit_code, 0) << "held out of train";
  fs::remove_all(path("run"));
  write_text(path("parts/valid.csv"), "user|item|other|stars|points|date|day\nu2|i3|o3|4|5|6|7\n");
  expect_error(run_binary(words), 2, {"--validation is 0.2", "has a validation part"});
  EXPECT_FALSE(fs::exists(path("run")));
}

TEST_F(DataOptions, TrainSaysHowItReadTheData) {
  const Finished file =
      run_binary({"train", path("log.csv"), "--out", path("run"), "--loss", "most-pop"});
  ASSERT_EQ(file.exit_code, 0) << file.err;
  EXPECT_TRUE(contains(file.err, "rating 'stars'")) << file.err;
  EXPECT_TRUE(contains(file.err, "time 'date'")) << file.err;
  EXPECT_TRUE(contains(file.err, "--min-rating")) << file.err;
  const Finished stats = run_binary({"stats", path("parts")});
  EXPECT_TRUE(contains(stats.err, "rating 'stars'")) << stats.err;
  EXPECT_TRUE(contains(stats.err, "--min-rating")) << stats.err;
  const Finished quiet = run_binary(
      {"train", path("log.csv"), "--out", path("quiet"), "--loss", "most-pop", "--quiet"});
  EXPECT_EQ(quiet.err, "");
}

// A run remembers how its data was read; what it remembers does not bother other folders.
TEST_F(DataOptions, EvaluateReadsTheRunsFolderAsTrainedAndOthersAsTheyAre) {
  const Finished trained = run_binary({"train", path("parts"), "--out", path("run"), "--loss",
                                       "most-pop", "--item-column", "other", "--min-rating", "2"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Finished own = run_binary({"evaluate", path("run"), "--json"});
  ASSERT_EQ(own.exit_code, 0) << own.err;
  const Finished named = run_binary({"evaluate", path("run"), path("parts/"), "--json"});
  EXPECT_EQ(named.out, own.out) << named.err;
  const Finished cut =
      run_binary({"train", path("log.csv"), "--out", path("cut"), "--loss", "most-pop", "--split",
                  "temporal", "--k-core", "2", "--min-rating", "2"});
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  fs::create_directory(path("others"));
  write_text(path("others/train.txt"), "u1 i1 i2\nu2 i1\n");
  write_text(path("others/test.txt"), "u1 i3\n");
  const Finished others = run_binary({"evaluate", path("cut"), path("others"), "--json"});
  EXPECT_EQ(others.exit_code, 0) << others.err;
}

}  // namespace
}  // namespace evenkeel::testing
