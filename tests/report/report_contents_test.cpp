// In: run folders. Out: fronts, verdicts, comparisons, titles and hard pairs that follow the runs.
#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "report/whole_report.h"

namespace evenkeel::testing {
namespace {

// The list that the page makes of a pool: the best by score less debias * log(popularity + 1).
std::vector<int> list_at(const json& pool, const json& popularity, double debias) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < pool["items"].size(); ++n) {
    const double count = popularity[pool["items"][n].get<std::size_t>()].get<double>();
    order.emplace_back(-(pool["scores"][n].get<double>() - debias * std::log(count + 1)), n);
  }
  std::sort(order.begin(), order.end());
  std::vector<int> list;
  for (std::size_t n = 0; n < std::min<std::size_t>(20, order.size()); ++n) {
    list.push_back(pool["items"][order[n].second].get<int>());
  }
  return list;
}

TEST_F(Report, FrontsStartAtTheFiguresOfTheRunAndPoolsGiveItsLists) {
  const json& data_set = (*whole_)["data_sets"][0];
  EXPECT_EQ(data_set["front"]["logged"], "test_a");
  EXPECT_EQ(data_set["front"]["balanced"], "test_a");
  EXPECT_EQ(data_set["front"]["estimated"], true) << "a test like the log is not the balanced one";
  std::size_t fronts = 0;
  for (const json& run : (*whole_)["runs"]) {
    const json& front = run["front"];
    if (!front.is_object()) continue;
    ++fronts;
    EXPECT_EQ(front["stops"][0]["debias"], 0);
    EXPECT_EQ(front["stops"][0]["logged"], run["evaluations"][1]["metrics"]["recall"]);
    EXPECT_EQ(front["stops"][0]["logged_items"], front["stops"][0]["balanced_items"]);
    EXPECT_EQ(front["stops"][0]["gini"], run["exposure"]["gini"]);
    ASSERT_EQ(front["pools"].size(), data_set["front"]["users"]);
    for (std::size_t u = 0; u < front["pools"].size(); ++u) {
      const std::vector<int> list = list_at(front["pools"][u], data_set["items"]["popularity"], 0);
      EXPECT_EQ(std::set<int>(list.begin(), list.end()),
                run["explore"][u]["items"].get<std::set<int>>());
    }
  }
  EXPECT_GE(fronts, 2U);
}

TEST_F(Report, AModelWithAStrengthIsShownAsItRanks) {
  train_small(scratch_->path("data"), scratch_->path("strong"),
              {{"loss", "softmax"}, {"debias", "0.8"}});
  const json report = report_of({scratch_->path("strong")});
  const json& run = report["runs"][0];
  const json result = json::parse(std::ifstream(scratch_->path("strong/result.json")));
  EXPECT_EQ(run["front"]["debias"], 0.8);
  EXPECT_NEAR(run["evaluations"][1]["metrics"]["recall"],
              result["evaluations"]["test_a"]["recall@20"], 1e-5);
  for (const json& stop : run["front"]["stops"]) {
    if (stop["debias"] != 0.8) continue;
    EXPECT_EQ(stop["logged"], run["evaluations"][1]["metrics"]["recall"]);
    EXPECT_EQ(stop["coverage"], run["exposure"]["coverage"]);
  }
  const std::vector<int> list =
      list_at(run["front"]["pools"][0], report["data_sets"][0]["items"]["popularity"], 0.8);
  EXPECT_EQ(std::set<int>(list.begin(), list.end()),
            run["explore"][0]["items"].get<std::set<int>>());
}

TEST_F(Report, ItemsHaveTitlesAndCountsOfLists) {
  const std::string titles =
      scratch_->write("titles.tsv", "i7\tSeven Samurai\n\"i8\"\t\"Eight, and \"\"a half\"\"\"\n");
  Threads team(1);
  train::Observer silent;
  const std::atomic<bool> never{false};
  const json report = report::make_report(
      {{scratch_->path("runs")}, "0.0", "evenkeel report", titles}, team, silent, never);
  const json& items = report["data_sets"][0]["items"];
  ASSERT_EQ(items["title"].size(), items["id"].size());
  for (std::size_t n = 0; n < items["id"].size(); ++n) {
    const std::string id = items["id"][n];
    const std::string wanted = id == "i7"   ? "Seven Samurai"
                               : id == "i8" ? "Eight, and \"a half\""
                                            : "";
    EXPECT_EQ(items["title"][n], wanted) << id;
  }
  EXPECT_TRUE((*whole_)["data_sets"][0]["items"]["title"].empty()) << "none were given";
  for (const json& run : report["runs"]) {
    ASSERT_EQ(run["shown"].size(), items["id"].size());
    std::uint64_t places = 0;
    for (const json& count : run["shown"]) {
      EXPECT_LE(count, run["exposure"]["lists"]);
      places += count.get<std::uint64_t>();
    }
    // Every item is on this small page, so the counts are all places of all lists.
    EXPECT_EQ(places, run["exposure"]["lists"].get<std::uint64_t>() * 20);
  }
  EXPECT_THROW(
      report::make_report({{}, "0.0", "", scratch_->path("no-titles")}, team, silent, never),
      Error);
}

TEST_F(Report, HardPairsAreTrainingPairsWithTheLargestMargins) {
  train_small(scratch_->path("data"), scratch_->path("hard/bc"), {{"loss", "bc"}});
  train_small(scratch_->path("data"), scratch_->path("hard/softmax"), {{"loss", "softmax"}});
  const json report = report_of({scratch_->path("hard")});
  const json& hardest = report["runs"][0]["margins"]["hardest"];
  ASSERT_GE(hardest.size(), 3U);
  double before = 4;
  int group = 0;
  for (const json& pair : hardest) {
    const int own = report["data_sets"][0]["items"]["group"][pair["item"].get<std::size_t>()];
    if (own != group) before = 4;
    EXPECT_GE(own, group) << "head, mid, tail";
    group = own;
    EXPECT_LE(pair["margin"], before);
    before = pair["margin"];
    EXPECT_GE(pair["rank"], 1);
    EXPECT_GE(pair["softmax_rank"], 1);
    EXPECT_LE(pair["softmax_rank"], 30);
  }
}

TEST_F(Report, PathsSayNothingOfTheMachine) {
  for (const json& run : (*whole_)["runs"]) {
    EXPECT_EQ(run["path"].get<std::string>().find('/'), 4U) << run["path"];
    EXPECT_EQ(run["command"].get<std::string>().find(scratch_->path("")), std::string::npos);
    EXPECT_EQ(run["date"].get<std::string>().size(), 16U);
  }
  EXPECT_EQ(whole_->dump().find(scratch_->path("runs")), std::string::npos);
}

TEST_F(Report, TheVerdictNamesTheBestOnTheLeastBiasedTest) {
  const json& data_set = (*whole_)["data_sets"][0];
  const json& verdict = data_set["verdict"];
  EXPECT_EQ(data_set["main_test"], "test_a");
  EXPECT_EQ(verdict["part"], "test_a");
  double best = 0;
  std::string label;
  for (const json& method : data_set["methods"]) {
    const double recall = method["evaluations"][1]["mean"]["recall"];
    if (recall <= best) continue;
    best = recall;
    label = method["label"];
  }
  EXPECT_TRUE(verdict["sentence"].get<std::string>().starts_with(label)) << verdict;
  EXPECT_EQ(verdict["figures"].size(), 3U);
  EXPECT_EQ(verdict["figures"][0]["value"], fmt::format("{:.4f}", best));
}

TEST_F(Report, IdenticalTestsAreMergedAndTold) {
  write_hostile_data(*scratch_, "twins");
  fs::copy(scratch_->path("twins/test_a.txt"), scratch_->path("twins/test_b.txt"));
  train_small(scratch_->path("twins"), scratch_->path("twin_runs/a"), {{"loss", "bpr"}});
  train_small(scratch_->path("twins"), scratch_->path("twin_runs/b"), {{"loss", "softmax"}});
  const json report = report_of({scratch_->path("twin_runs")});
  const json& data_set = report["data_sets"][0];
  EXPECT_EQ(data_set["tests"], json({"test_a"}));
  ASSERT_EQ(data_set["merged_tests"].size(), 1U);
  EXPECT_EQ(data_set["merged_tests"][0]["name"], "test_b");
  EXPECT_EQ(data_set["merged_tests"][0]["same_as"], "test_a");
  expect_fields(data_set["merged_tests"][0], "MergedTest");
  EXPECT_EQ(data_set["comparisons"].size(), 2U) << "Recall and NDCG, once";
}

TEST_F(Report, SeedsOfAMethodAreComparedAsOne) {
  for (const char* seed : {"1", "2"}) {
    for (const char* loss : {"bpr", "softmax"}) {
      train_small(scratch_->path("data"), scratch_->path(fmt::format("pairs/{}{}", loss, seed)),
                  {{"loss", loss}, {"seed", seed}});
    }
  }
  const json report = report_of({scratch_->path("pairs")});
  const json& data_set = report["data_sets"][0];
  ASSERT_EQ(data_set["methods"].size(), 2U);
  ASSERT_EQ(data_set["comparisons"].size(), 2U);
  const json& recall = data_set["comparisons"][0];
  EXPECT_EQ(recall["seeds"], 2);
  const auto mean = [&](std::size_t m) {
    return data_set["methods"][m]["evaluations"][1]["mean"]["recall"].get<double>();
  };
  EXPECT_NEAR(recall["difference"], mean(0) - mean(1), 2e-5);
}

// Forty settings of one loss and two of another: the best of each on validation and the two best on
// a test, which the verdict will compare, are looked at in depth.
TEST_F(Report, TheBestSettingOfEachLossIsDetailed) {
  const auto with_recall = [&](const std::string& from, const std::string& to, double recall,
                               int n) {
    const std::string run = copy_of(from, to);
    json result = json::parse(std::ifstream(run + "/result.json"));
    result["evaluations"]["valid"]["recall@20"] = recall;
    if (n == 7) result["evaluations"]["test_a"]["recall@20"] = 0.99;
    if (n == 3) result["evaluations"]["test_a"]["recall@20"] = 0.98;
    std::ofstream(run + "/result.json") << result;
    std::string config = read_text(run + "/config.toml");
    const std::size_t at = config.find("\nl2 = ") + 1;
    config.replace(at, config.find('\n', at) - at, fmt::format("l2 = {}", 0.001 * n));
    std::ofstream(run + "/config.toml") << config;
  };
  for (int n = 0; n < 40; ++n) {
    with_recall("runs/bc", fmt::format("wide/bc{:02}", n), n == 33 ? 0.9 : 0.1 + 0.001 * n, n);
  }
  for (int n = 0; n < 2; ++n) {
    with_recall("runs/bpr", fmt::format("wide/x{}", n), n == 1 ? 0.05 : 0.01, n);
  }
  const json report = report_of({scratch_->path("wide")});
  std::set<std::string> detailed;
  for (const json& run : report["runs"]) {
    if (run["detailed"]) detailed.insert(fs::path(run["path"].get<std::string>()).filename());
  }
  EXPECT_EQ(detailed.size(), 12U);
  EXPECT_TRUE(detailed.contains("bc33"));
  EXPECT_TRUE(detailed.contains("x1"));
  EXPECT_TRUE(detailed.contains("bc07"));
  EXPECT_FALSE(detailed.contains("bc00"));
  EXPECT_TRUE(detailed.contains("bc03")) << "the next best on the test";
  EXPECT_EQ(report["data_sets"][0]["verdict"]["sentence"].get<std::string>().find("not known"),
            std::string::npos);
}

}  // namespace
}  // namespace evenkeel::testing
