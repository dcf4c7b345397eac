// In: run folders on the command line. Out: the page, the figures, the tables of analyze.
#include <gtest/gtest.h>

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

TEST_F(ReportCommand, WithoutRunsThePageTellsAndTheCommandFails) {
  for (const auto& runs : {std::vector<std::string>{}, {path("nothing")}}) {
    std::vector<std::string> words{"report", "--out", path("empty.html")};
    words.insert(words.end(), runs.begin(), runs.end());
    const Finished finished = run_binary(words);
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_TRUE(contains(finished.err, "no run was found")) << finished.err;
    EXPECT_TRUE(contains(read_text(path("empty.html")), "There is no run to report"));
    fs::remove(path("empty.html"));
  }
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
  expect_error(run_binary({"analyze", path("half"), "--quiet"}), 3, {"--resume"});
}

}  // namespace
}  // namespace evenkeel::testing
