// In: a small trained run. Out: lists with filters, for people without a row, with titles; searches
// and comparisons.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

class Lists : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    write_text(*folder_ / "log.csv", tiny_log(60, 36, 15));
    trained_ =
        new Finished(run_binary({"train", *folder_ / "log.csv", "-o", *folder_ / "run", "--epochs",
                                 "2", "--dim", "8", "--negatives", "4", "--quiet"}));
  }
  static void TearDownTestSuite() {
    delete trained_;
    delete folder_;
  }
  void SetUp() override { ASSERT_EQ(trained_->exit_code, 0) << trained_->err; }
  static std::string path(const std::string& name) { return *folder_ / name; }
  static Finished recommend(std::vector<std::string> words) {
    words.insert(words.begin(), {"recommend", path("run"), "--json"});
    return run_binary(words);
  }
  static std::vector<std::string> items(const Finished& finished) {
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    std::vector<std::string> ids;
    const json answer = json::parse(finished.out);
    for (const json& entry : answer["items"]) ids.push_back(entry["item"]);
    return ids;
  }

  static TempFolder* folder_;
  static Finished* trained_;
};

TempFolder* Lists::folder_ = nullptr;
Finished* Lists::trained_ = nullptr;

TEST_F(Lists, OnlyExcludeAndSeenAreObeyed) {
  const auto best = items(recommend({"-u", "u7", "-k", "6"}));
  ASSERT_EQ(best.size(), 6U);
  write_text(path("out.txt"), best[0] + "\n" + best[2] + "\nunheard-of\n");
  const Finished without = recommend({"-u", "u7", "-k", "4", "--exclude", path("out.txt")});
  EXPECT_EQ(items(without), (std::vector<std::string>{best[1], best[3], best[4], best[5]}));
  EXPECT_TRUE(contains(without.err, "1 of 3 items are not in the model")) << without.err;
  EXPECT_EQ(items(recommend({"-u", "u7", "--only", path("out.txt")})),
            (std::vector<std::string>{best[0], best[2]}));
  write_text(path("seen.csv"), "user,item\nu7," + best[0] + "\nu8," + best[1] + "\nx,y\n");
  const Finished later = recommend({"-u", "u7", "-k", "2", "--seen", path("seen.csv")});
  EXPECT_EQ(items(later), (std::vector<std::string>{best[1], best[2]}));
  EXPECT_TRUE(contains(later.err, "1 of 3 interactions")) << later.err;
  const auto popular = items(recommend({"-u", "nobody", "--fallback", "popular", "-k", "2"}));
  write_text(path("top.txt"), popular[0] + "\n");
  EXPECT_EQ(items(recommend({"-u", "nobody", "--fallback", "popular", "-k", "1", "--exclude",
                             path("top.txt")})),
            (std::vector<std::string>{popular[1]}));
}

TEST_F(Lists, PeopleWithoutARowAreFoldedIn) {
  const Finished folded = recommend({"--items", "i3,i6,unheard-of", "-k", "5"});
  const auto listed = items(folded);
  EXPECT_EQ(listed.size(), 5U);
  EXPECT_EQ(std::count(listed.begin(), listed.end(), "i3"), 0);
  EXPECT_TRUE(contains(folded.err, "unheard-of")) << folded.err;
  EXPECT_FALSE(json::parse(folded.out).contains("user"));
  write_text(path("mine.txt"), "i6\ni3\n");
  EXPECT_EQ(items(recommend({"--items", "@" + path("mine.txt"), "-k", "5"})), listed);
  expect_error(recommend({"--items", "unheard-of"}), 3, {"none of the 1 items", "popular"});
  expect_error(recommend({"--items", ""}), 3, {"no item is given"});
  EXPECT_EQ(items(recommend({"--items", "", "--fallback", "popular", "-k", "3"})).size(), 3U);
  expect_error(recommend({"--items", "i3", "-u", "u7"}), 2, {"--user"});
  expect_error(recommend({"--items", "i3", "--seen", path("log.csv")}), 2, {"--exclude"});
  expect_error(recommend({}), 2, {"--items"});
}

TEST_F(Lists, TitlesStandBesideIds) {
  write_text(path("titles.csv"), "movieId,title,genres\ni3,\"Toy Story, again\",x\ni6,Heat,y\n");
  const Finished found =
      run_binary({"find", path("run"), "toy STORY", "--titles", path("titles.csv")});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(found.out.substr(0, 3), "i3\t");
  EXPECT_TRUE(contains(found.out, "\tToy Story, again\n")) << found.out;
  const Finished list = run_binary({"recommend", path("run"), "-u", "u7", "-k", "40",
                                    "--include-seen", "--titles", path("titles.csv")});
  EXPECT_TRUE(contains(list.out, "\tHeat\n")) << list.out;
  const Finished similar = run_binary(
      {"similar", path("run"), "--item", "i3", "--titles", path("titles.csv"), "--json"});
  EXPECT_TRUE(contains(similar.out, "\"title\":\"Heat\"")) << similar.out;
  write_text(path("no.csv"), "a,b\n1,2\n");
  expect_error(run_binary({"find", path("run"), "i", "--titles", path("no.csv")}), 3, {"no.csv"});
}

TEST_F(Lists, FindLooksIntoIds) {
  const Finished items = run_binary({"find", path("run"), "I1", "-k", "3", "--json"});
  EXPECT_EQ(items.exit_code, 0) << items.err;
  const json hits = json::parse(items.out)["hits"];
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0]["item"], "i1") << "the shortest first";
  const Finished users = run_binary({"find", path("run"), "u59", "--users"});
  EXPECT_EQ(users.out.substr(0, 4), "u59\t");
  const Finished nothing = run_binary({"find", path("run"), "zzz"});
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_EQ(nothing.out, "");
  EXPECT_TRUE(contains(nothing.err, "'zzz'")) << nothing.err;
}

TEST_F(Lists, SimilarUsers) {
  const Finished similar = run_binary({"similar", path("run"), "-u", "u7", "-k", "4", "--json"});
  EXPECT_EQ(similar.exit_code, 0) << similar.err;
  const json answer = json::parse(similar.out);
  ASSERT_EQ(answer["users"].size(), 4U);
  for (const json& entry : answer["users"]) EXPECT_NE(entry["user"], "u7");
  expect_error(run_binary({"similar", path("run")}), 2, {"--item", "--user"});
  expect_error(run_binary({"similar", path("run"), "-u", "u7", "--debias", "1"}), 2, {"--debias"});
  expect_error(run_binary({"similar", path("run"), "-u", "nobody"}), 3, {"'nobody'"});
}

TEST_F(Lists, CompareShowsRunsSideBySide) {
  ASSERT_EQ(run_binary({"train", path("log.csv"), "-o", path("other"), "--epochs", "1", "--dim",
                        "8", "--loss", "bpr", "--quiet"})
                .exit_code,
            0);
  const Finished table = run_binary({"compare", path("run"), path("other")});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  for (const char* word : {"valid recall@20", "bpr", "other", "best epoch"}) {
    EXPECT_TRUE(contains(table.out, word)) << table.out;
  }
  const Finished told = run_binary({"compare", path("run"), path("other"), "--json"});
  const json runs = json::parse(told.out)["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1]["loss"], "bpr");
  EXPECT_TRUE(runs[0]["evaluations"]["valid"]["recall@20"].is_number());
  expect_error(run_binary({"compare", path("nothing")}), 3, {"nothing"});
  EXPECT_FALSE(contains(table.err, "several data sets")) << table.err;

  write_text(path("second.csv"), tiny_log(60, 30, 8));
  ASSERT_EQ(run_binary({"train", path("second.csv"), "-o", path("apart"), "--epochs", "1", "--dim",
                        "8", "--quiet"})
                .exit_code,
            0);
  const Finished mixed = run_binary({"compare", path("run"), path("apart")});
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  EXPECT_TRUE(contains(mixed.err, "several data sets")) << mixed.err;
  EXPECT_TRUE(contains(mixed.out, "second")) << mixed.out;
}

TEST_F(Lists, OnlyNearWordsAreSuggested) {
  const Finished near = run_binary({"recommned", path("run")});
  EXPECT_TRUE(contains(near.err, "did you mean 'recommend'")) << near.err;
  const Finished far = run_binary({"frobnicate"});
  EXPECT_FALSE(contains(far.err, "did you mean")) << far.err;
  EXPECT_TRUE(contains(far.err, "evenkeel --help lists all")) << far.err;
}

}  // namespace
}  // namespace evenkeel::testing
