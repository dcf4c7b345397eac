// Random logs, with and without ratings, and random pairs of run and data. Out: no recommended pair
// was ever in the log, and no trained pair counts as a hit unsaid.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "cli/run_binary.h"

namespace evenkeel::testing {
namespace {

using Words = std::vector<std::string>;

struct Rated {
  std::string user, item;
  int rating = 0;
};

std::vector<Rated> random_log(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Rated> rows;
  for (int u = 0; u < 40; ++u) {
    for (int i = 0; i < 24; ++i) {
      if (random() % 5 >= 2) continue;
      rows.push_back(
          {"u" + std::to_string(u), "i" + std::to_string(i), 1 + static_cast<int>(random() % 5)});
    }
  }
  std::shuffle(rows.begin(), rows.end(), random);
  return rows;
}

class RandomLogs : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return folder_ / name; }

  void write(const std::string& name, const std::vector<Rated>& rows) {
    std::string text = "user,item,rating\n";
    std::string lines;
    for (const Rated& row : rows) {
      text += row.user + "," + row.item + "," + std::to_string(row.rating) + "\n";
      const nlohmann::json line{{"user", row.user}, {"item", row.item}, {"rating", row.rating}};
      lines += line.dump() + "\n";
    }
    write_text(path(name + ".csv"), text);
    write_text(path(name + ".jsonl"), lines);
  }

  void train(const std::string& data, const std::string& run, const Words& more) {
    Words words{"train", data,          "--out", path(run), "--epochs", "1",    "--dim",
                "8",     "--negatives", "4",     "--batch", "64",       "--lr", "0.05"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_binary(words);
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
  }

  // Recommended pairs, and how many of them the log held.
  std::array<int, 2> listed(const std::string& run, const std::vector<Rated>& log,
                            const Words& more = {}) {
    std::string users = "# everybody\n";
    for (int u = 0; u < 40; ++u) users += "u" + std::to_string(u) + "\n";
    write_text(path("users.txt"), users);
    std::set<std::string> held;
    for (const Rated& row : log) held.insert(row.user + "\t" + row.item);
    Words words{"recommend", path(run), "--users", path("users.txt"), "--skip-unknown"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_binary(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    std::array<int, 2> counts{};
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      ++counts[0];
      counts[1] += held.contains(line.substr(0, line.rfind('\t'))) ? 1 : 0;
    }
    return counts;
  }
  void expect_clean(const std::string& run, const std::vector<Rated>& log, const Words& more = {}) {
    const auto [pairs, leaked] = listed(run, log, more);
    EXPECT_GT(pairs, 100) << run;
    EXPECT_EQ(leaked, 0) << run;
  }

  TempFolder folder_;
};

TEST_F(RandomLogs, NoListHoldsAPairOfTheLog) {
  const std::vector<Words> ways{{},
                                {"--refit"},
                                {"--split", "none"},
                                {"--split", "leave-one-out"},
                                {"--split", "balanced"},
                                {"--k-core", "2"}};
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const auto log = random_log(seed);
    write("log", log);
    Words more = ways[seed % ways.size()];
    if (seed > 4) more.insert(more.end(), {"--min-rating", std::to_string(2 + seed % 3)});
    const std::string run = "run" + std::to_string(seed);
    train(path(seed % 2 == 0 ? "log.csv" : "log.jsonl"), run, more);
    expect_clean(run, log);
    EXPECT_GT(listed(run, log, {"--include-seen"})[1], 0) << "the test must be able to fail";
  }
}

TEST_F(RandomLogs, NorWhereTheLogWasPreparedOrCutBefore) {
  const auto log = random_log(77);
  write("log", log);
  const std::vector<Words> ways{
      {"prepare", path("log.csv"), "--out", path("whole")},
      {"prepare", path("log.csv"), "--out", path("spilled"), "--memory", "1K"},
      {"prepare", path("log.csv"), "--out", path("parts"), "--split", "random"},
      {"split", path("log.csv"), "--out", path("text"), "--k-core", "0", "--protocol", "random"}};
  train(path("log.csv"), "log-run", {"--min-rating", "4"});
  for (Words words : ways) {
    words.insert(words.end(), {"--min-rating", "4"});
    const Finished made = run_binary(words);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const std::string run = fs::path(words[3]).filename().string() + "-run";
    train(words[3], run, {});
    expect_clean(run, log);
    if (words[0] == "split") continue;  // a folder is named differently in the model
    EXPECT_EQ(read_text(path(run + "/model.safetensors")),
              read_text(path("log-run/model.safetensors")));
  }
}

TEST_F(RandomLogs, ExtensionsAndSeenFilesMaskLowRatingsToo) {
  const auto log = random_log(5);
  write("log", log);
  train(path("log.csv"), "run", {"--min-rating", "4"});
  auto more = random_log(6);
  std::erase_if(more, [](const Rated& row) { return row.rating >= 4; });
  write("low", more);
  auto all = log;
  all.insert(all.end(), more.begin(), more.end());
  EXPECT_GT(listed("run", all)[1], 0) << "the test must be able to fail";
  expect_clean("run", all, {"--seen", path("low.csv")});
  const Finished extended =
      run_binary({"extend", path("run"), path("low.csv"), "--out", path("more")});
  ASSERT_EQ(extended.exit_code, 0) << extended.err;
  EXPECT_TRUE(contains(extended.err, "below --min-rating")) << extended.err;
  expect_clean("more", all);
}

TEST_F(RandomLogs, SeenFilesAreReadAsTheLogWas) {
  std::string text = "person|thing\n";
  for (const Rated& row : random_log(8)) text += row.user + "|" + row.item + "\n";
  write_text(path("odd.txt"), text);
  const Words how{"--header",      "yes",    "--separator",   "|",
                  "--user-column", "person", "--item-column", "thing"};
  train(path("odd.txt"), "run", how);
  write_text(path("new.txt"), "thing|person\ni1|u1\ni2|u1\n");
  const Words ask{"recommend", path("run"), "--user", "u1", "--seen", path("new.txt")};
  const Finished asked = run_binary(ask);
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_FALSE(contains(asked.out, "i1\t") || contains(asked.out, "i2\t")) << asked.out;
  EXPECT_FALSE(contains(asked.err, "ignored")) << asked.err;
  write_text(path("plain.csv"), "user,item\nu1,i1\n");
  Words other = ask;
  other.back() = path("plain.csv");
  other.insert(other.end(), {"--user-column", "user", "--item-column", "item", "--separator", ","});
  EXPECT_EQ(run_binary(other).exit_code, 0);
  expect_error(run_binary({"recommend", path("run"), "--user", "u1", "--header", "no"}), 2,
               {"--header", "--seen"});
}

// A model and data that may share some of its log: the evaluation is refused, says the share, or
// was of parts that hold no trained pair.
TEST_F(RandomLogs, NoTrainedPairCountsAsAHitUnsaid) {
  std::mt19937 random(9);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const auto log = random_log(seed);
    write("log", log);
    const std::string run = "run" + std::to_string(seed);
    train(path("log.csv"), run, seed % 2 == 0 ? Words{"--refit"} : Words{});
    for (int part = 0; part < 3; ++part) {
      std::vector<Rated> some = random_log(100 + seed);  // other pairs of the same people
      if (part > 0) some.resize(some.size() / 3);
      for (const Rated& row : log) {
        if (part == 1 && random() % 8 == 0) some.push_back(row);
        if (part == 2) some.push_back(row);
      }
      std::shuffle(some.begin(), some.end(), random);
      write("other", some);
      for (const Words& how : {Words{path("other.csv")}, Words{"--test", path("other.csv")}}) {
        Words words{"evaluate", path(run)};
        words.insert(words.end(), how.begin(), how.end());
        expect_error(run_binary(words), 3, {"trained the model", "%"});
        words.emplace_back("--allow-overlap");
        const Finished allowed = run_binary(words);
        EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
        EXPECT_TRUE(contains(allowed.err, "trained the model")) << allowed.err;
      }
    }
  }
}

}  // namespace
}  // namespace evenkeel::testing
