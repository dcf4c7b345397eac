// In: run folders on the command line. Out: the page, the figures, the tables of analyze.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

class ReportCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    write_text(*folder_ / "log.csv", tiny_log(60, 36, 15));
    for (const char* loss : {"bc", "bpr"}) {
      const Finished trained = run_binary({"train", *folder_ / "log.csv", "--out",
                                           *folder_ / (std::string("runs/") + loss), "--loss", loss,
                                           "--dim", "8", "--epochs", "3", "--quiet"});
      ASSERT_EQ(trained.exit_code, 0) << trained.err;
    }
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path(const std::string& name) { return *folder_ / name; }
  static TempFolder* folder_;
};

TempFolder* ReportCommand::folder_ = nullptr;

TEST_F(ReportCommand, WritesThePageAndTheFigures) {
  const Finished finished = run_binary(
      {"report", path("runs"), "--out", path("new/page.html"), "--figures", path("figures")});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, path("new/page.html") + "\n");
  const std::string page = read_text(path("new/page.html"));
  EXPECT_TRUE(contains(page, "id=\"report-data\""));
  EXPECT_TRUE(contains(page, "evenkeel-report"));
  EXPECT_TRUE(fs::exists(path("figures/lorenz.svg")));
  EXPECT_TRUE(contains(finished.err, "analysing")) << finished.err;
}

TEST_F(ReportCommand, PrintsItsDataAsJson) {
  const Finished finished = run_binary({"report", path("runs/bc"), path("runs/bpr"), "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json report = json::parse(finished.out);
  EXPECT_EQ(report["runs"].size(), 2U);
  EXPECT_EQ(report["runs"][0]["label"], "bc");
  EXPECT_FALSE(report["environment"]["evenkeel"].get<std::string>().empty());
}

TEST_F(ReportCommand, OnAnErrorTheOldPageStays) {
  write_text(path("old.html"), "the old page");
  fs::create_directories(path("bad/run"));
  for (const char* name : {"config.toml", "result.json"}) {
    write_text(path("bad/run/") + name, "{{{");
  }
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{}, "no run was found"},
      {{path("nothing")}, "no run was found"},
      {{path("bad")}, "none of the 1 runs has anything to show"},
      {{path("runs"), "--figures", "/proc/no/figures"}, "cannot make the folder"}};
  for (const auto& [more, sentence] : cases) {
    std::vector<std::string> words{"report", "--out", path("old.html")};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_binary(words);
    EXPECT_TRUE(finished.exit_code == 3 || finished.exit_code == 1) << finished.exit_code;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(contains(finished.err, sentence)) << finished.err;
    EXPECT_EQ(read_text(path("old.html")), "the old page") << sentence;
  }
  EXPECT_FALSE(fs::exists(path("new.html")));
}

TEST_F(ReportCommand, OneBadRunIsCountedAndNotFatal) {
  fs::create_directories(path("one-bad"));
  fs::copy(path("runs/bc"), path("one-bad/bc"), fs::copy_options::recursive);
  fs::copy(path("runs/bpr"), path("one-bad/bpr"), fs::copy_options::recursive);
  fs::remove(path("one-bad/bpr/result.json"));
  ASSERT_EQ(::mkfifo(path("one-bad/bpr/result.json").c_str(), 0600), 0);
  const Finished finished = run_binary({"report", path("one-bad"), "--out", path("most.html")});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "1 of 2 runs is not whole")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "result.json is no regular file")) << finished.err;
}

TEST_F(ReportCommand, OneSentenceWhereThereIsNoRun) {
  const Finished none = run_binary({"report", path("nosuch"), "--out", path("none.html")});
  expect_error(none, 3, {"nosuch: there is no such folder", "evenkeel train"});
  EXPECT_EQ(std::count(none.err.begin(), none.err.end(), '\n'), 1) << none.err;
}

TEST_F(ReportCommand, RefusesAFolderAsPage) {
  expect_error(run_binary({"report", path("runs"), "--out", path("runs"), "--quiet"}), 2,
               {"is a folder", "report.html"});
  EXPECT_EQ(run_binary({"report", path("runs"), "--out", "/proc/no/page.html"}).exit_code, 1);
}

TEST_F(ReportCommand, AnalyzeShowsTablesAndJson) {
  const Finished text = run_binary({"analyze", path("runs/bc")});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  for (const char* words : {"Recall@20", "head", "tail", "lift", "compactness of users",
                            "r(bias degree, item popularity)", "pairs at the cap"}) {
    EXPECT_TRUE(contains(text.out, words)) << words << " in " << text.out;
  }
  const Finished finished = run_binary({"analyze", path("runs/bpr"), "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json answer = json::parse(finished.out);
  EXPECT_TRUE(answer["run"]["geometry"].is_object());
  EXPECT_TRUE(answer["data_set"]["bias"].is_object());
}

TEST_F(ReportCommand, AnalyzeNeedsAFinishedRun) {
  expect_error(run_binary({"analyze", path("nothing")}), 3, {"evenkeel train"});
  fs::copy(path("runs/bpr"), path("half"), fs::copy_options::recursive);
  fs::remove(path("half/result.json"));
  const Finished half = run_binary({"analyze", path("half")});
  expect_error(half, 3, {"--resume"});
  EXPECT_FALSE(contains(half.err, "extractor")) << half.err;
}

}  // namespace
}  // namespace evenkeel::testing
