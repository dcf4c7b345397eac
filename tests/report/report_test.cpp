// In: run folders in every condition. Out: a report that has, or tells, everything.
#include "report/report.h"

#include <gtest/gtest.h>

#include <set>

#include "report/page.h"
#include "report/svg_figures.h"
#include "report/whole_report.h"

namespace evenkeel::testing {
namespace {

TEST_F(Report, HasTheFieldsOfTheContract) {
  const json& report = *whole_;
  expect_fields(report, "ReportData");
  expect_fields(report["environment"], "Environment");
  const json& data_set = report["data_sets"][0];
  expect_fields(data_set, "DataSet");
  expect_fields(data_set["methods"][0], "Method");
  expect_fields(data_set["methods"][0]["evaluations"][0], "MethodEvaluation");
  expect_fields(data_set["statistics"], "Statistics");
  expect_fields(data_set["statistics"]["parts"][0], "PartStatistics");
  expect_fields(data_set["popularity"], "Popularity");
  expect_fields(data_set["items"], "ItemTable");
  expect_fields(data_set["users"][0], "ChosenUser");
  expect_fields(data_set["explore"][0], "ExploreUser");
  expect_fields(data_set["bias"], "Bias");
  expect_fields(data_set["bias"]["items"], "BiasSide");
  expect_fields(data_set["bias"]["nine"], "NineGroups");
  expect_fields(data_set["comparisons"][0], "Comparison");
  expect_fields(data_set["verdict"], "Verdict");
  expect_fields(data_set["verdict"]["figures"][0], "VerdictFigure");
  const json& run = report["runs"][0];
  expect_fields(run, "Run");
  expect_fields(run["timing"], "Timing");
  expect_fields(run["evaluations"][0], "Evaluation");
  expect_fields(run["training"][0], "EpochPoint");
  expect_fields(run["exposure"], "Exposure");
  expect_fields(run["geometry"], "Geometry");
  expect_fields(run["geometry"]["users"][0], "UserAngles");
  expect_fields(run["geometry"]["norms"], "Norms");
  expect_fields(run["margins"], "Margins");
  expect_fields(run["explore"][0], "TopList");
  expect_fields(run["margins"]["hardest"][0], "HardPair");
  expect_fields(data_set["front"], "FrontAxes");
  expect_fields(run["front"], "Front");
  expect_fields(run["front"]["stops"][0], "FrontStop");
  expect_fields(run["front"]["pools"][0], "ListPool");
  expect_fields(report["sampling"][0], "Sampled");
}

TEST_F(Report, FiguresAreThoseOfTheRun) {
  ASSERT_EQ((*whole_)["runs"].size(), 3U);
  for (const json& run : (*whole_)["runs"]) {
    std::ifstream file(scratch_->path(run["path"].get<std::string>()) + "/result.json");
    const json result = json::parse(file);
    ASSERT_EQ(run["evaluations"].size(), result["evaluations"].size());
    EXPECT_EQ(run["evaluations"][0]["part"], "valid");
    for (const json& evaluation : run["evaluations"]) {
      const json& recorded = result["evaluations"][evaluation["part"].get<std::string>()];
      EXPECT_NEAR(evaluation["metrics"]["recall"], recorded["recall@20"], 1e-5);
      EXPECT_NEAR(evaluation["exposure"]["gini"], recorded["gini@20"], 1e-5);
      if (evaluation["part"] == "valid") continue;
      EXPECT_LE(evaluation["intervals"]["recall"][0], evaluation["metrics"]["recall"]);
      EXPECT_GE(evaluation["intervals"]["recall"][1], evaluation["metrics"]["recall"]);
    }
  }
}

TEST_F(Report, GeometryFitsTheChosenUsers) {
  const json& data_set = (*whole_)["data_sets"][0];
  ASSERT_EQ(data_set["users"].size(), 6U);
  for (const json& run : (*whole_)["runs"]) {
    if (run["loss"] == "most-pop") {
      EXPECT_TRUE(run["geometry"].is_null());
      EXPECT_TRUE(run["margins"].is_null());
      continue;
    }
    ASSERT_EQ(run["geometry"]["users"].size(), 6U);
    for (std::size_t u = 0; u < 6; ++u) {
      const json& angles = run["geometry"]["users"][u];
      for (const char* kind : {"positive", "held_out", "negative"}) {
        EXPECT_EQ(angles["sphere"][kind].size(), data_set["users"][u][kind].size());
      }
      double sum = 0;
      for (const json& share : angles["negative"]) sum += share.get<double>();
      EXPECT_NEAR(sum, 1, 1e-3);
    }
  }
}

TEST_F(Report, HitsAreHeldOutItems) {
  const json& data_set = (*whole_)["data_sets"][0];
  std::size_t hits = 0;
  for (const json& run : (*whole_)["runs"]) {
    ASSERT_EQ(run["explore"].size(), data_set["explore"].size());
    for (std::size_t u = 0; u < run["explore"].size(); ++u) {
      const json& user = data_set["explore"][u];
      const std::set<int> held_out = user["held_out"].get<std::set<int>>();
      const std::set<int> history = user["history"].get<std::set<int>>();
      const json& list = run["explore"][u];
      for (const json& item : list["items"]) EXPECT_FALSE(history.contains(item.get<int>()));
      for (const json& hit : list["hits"]) {
        EXPECT_TRUE(held_out.contains(list["items"][hit.get<std::size_t>()].get<int>()));
        ++hits;
      }
    }
  }
  EXPECT_GT(hits, 0U);
}

TEST_F(Report, HostileIdsAreTextOfBoundedLength) {
  const std::string page = report::make_page(*whole_);
  EXPECT_EQ(page.find("</script><script>alert(1)"), std::string::npos);
  const std::string ids = (*whole_)["data_sets"][0]["items"]["id"].dump();
  EXPECT_NE(ids.find("<script>alert(1)"), std::string::npos);
  EXPECT_NE(ids.find("\xE2\x98\x83"), std::string::npos);
  EXPECT_NE(ids.find("LLLL"), std::string::npos);
  EXPECT_EQ(ids.find(std::string(201, 'L')), std::string::npos);
  EXPECT_EQ(json::parse(report::script_safe(*whole_)), *whole_);
}

TEST_F(Report, TheThreadCountChangesNothing) {
  EXPECT_EQ(report_of({scratch_->path("runs")}, 3).dump(), whole_->dump());
}

TEST_F(Report, EveryMethodsSentenceHoldsItsFigureAndPlace) {
  const json& methods = (*whole_)["data_sets"][0]["methods"];
  ASSERT_EQ(methods.size(), 3U);
  std::size_t best = 0;
  for (const json& method : methods) {
    const std::string finding = method["finding"].get<std::string>();
    EXPECT_TRUE(finding.starts_with(method["label"].get<std::string>())) << finding;
    ASSERT_EQ(method["runs"].size(), 1U);
    const json& run = (*whole_)["runs"][method["runs"][0].get<std::size_t>()];
    std::ifstream file(scratch_->path(run["path"].get<std::string>()) + "/result.json");
    const double recall = json::parse(file)["evaluations"]["test_a"]["recall@20"];
    EXPECT_NE(finding.find(fmt::format("Recall@20 {:.4f} on test_a", recall)), std::string::npos)
        << finding;
    EXPECT_TRUE(finding.ends_with(".")) << finding;
    best += finding.find("has the best") != std::string::npos;
  }
  EXPECT_GE(best, 1U);
}

TEST_F(Report, CommandTrainsTheRunAgain) {
  const std::string command = (*whole_)["runs"][1]["command"].get<std::string>();
  for (const char* words : {"evenkeel train", "--loss bpr", "--dim 4", "--epochs 3"}) {
    EXPECT_NE(command.find(words), std::string::npos) << command;
  }
}

TEST_F(Report, NoRunsIsToldOnThePage) {
  const json none = report_of({});
  EXPECT_TRUE(says(none, "no run to report"));
  expect_fields(none, "ReportData");
  EXPECT_NE(report::make_page(none).find("no run to report"), std::string::npos);
  const json nowhere = report_of({scratch_->path("nowhere"), scratch_->path("data")});
  ASSERT_EQ(nowhere["skipped"].size(), 2U);
  EXPECT_EQ(nowhere["skipped"][0]["reason"], "there is no such folder");
  EXPECT_TRUE(report::make_figures(none).empty());
}

TEST_F(Report, DataSetsAreShownApart) {
  write_hostile_data(*scratch_, "other", true, 5);
  train_small(scratch_->path("other"), scratch_->path("other_run"), {{"loss", "bpr"}});
  const json report = report_of({scratch_->path("runs/bpr"), scratch_->path("other_run")});
  ASSERT_EQ(report["data_sets"].size(), 2U);
  EXPECT_TRUE(says(report, "2 data sets"));
  EXPECT_EQ(report["runs"][1]["data_set"], 1);
  EXPECT_NE(report["runs"][0]["label"], report["runs"][1]["label"]);
  EXPECT_TRUE(report["data_sets"][0]["comparisons"].empty());
  const json& bias = report["data_sets"][0]["bias"];  // neither run has an extractor
  EXPECT_NE(bias["source"].get<std::string>().find("trained for this report"), std::string::npos);
}

TEST_F(Report, WithoutTestDataOnlyValidationIsShown) {
  write_hostile_data(*scratch_, "untested", false);
  train_small(scratch_->path("untested"), scratch_->path("untested_run"), {{"loss", "softmax"}});
  const json report = report_of({scratch_->path("untested_run")});
  EXPECT_EQ(report["runs"][0]["state"], "no-test");
  EXPECT_TRUE(says(report, "no test part"));
  EXPECT_TRUE(report["data_sets"][0]["tests"].empty());
  EXPECT_NE(report["runs"][0]["finding"].get<std::string>().find("on valid"), std::string::npos);
  EXPECT_TRUE(report["runs"][0]["geometry"].is_object());
}

TEST_F(Report, WithoutAnyPartNothingIsSaidToBeShown) {
  scratch_->write("log.csv", "user,item\na,x\na,y\nb,x\nb,z\nc,y\nc,z\nd,x\nd,w\n");
  train_small(scratch_->path("log.csv"), scratch_->path("all_run"),
              {{"loss", "softmax"}, {"split", "none"}});
  const json report = report_of({scratch_->path("all_run")});
  EXPECT_EQ(report["runs"][0]["state"], "no-test");
  EXPECT_TRUE(says(report, "neither a test nor a validation part")) << report["notices"];
  EXPECT_FALSE(says(report, "what is shown is validation")) << report["notices"];
}

// The best candidate of an experiment's tuning is copied to its runs: it is no seed more.
TEST_F(Report, CandidatesOfAnExperimentAreNoRunsOfIt) {
  copy_of("runs/bc", "experiment/runs/data/MF/BC/seed-1");
  copy_of("runs/bc", "experiment/tune/data/MF/BC/best");
  copy_of("runs/bpr", "experiment/tune/data/MF/BC/worse");
  const auto count = [](const std::string& folder) {
    return report::find_runs({scratch_->path(folder)}).folders.size();
  };
  EXPECT_EQ(count("experiment"), 1U);
  EXPECT_EQ(count("experiment/tune"), 2U) << "they can be named";
  fs::remove_all(scratch_->path("experiment/runs"));
  EXPECT_EQ(count("experiment"), 2U) << "a sweep has no others";
}

TEST_F(Report, ADivergedRunSaysWhy) {
  const std::string run = copy_of("runs/bpr", "broken/diverged");
  const json config = json::parse(std::ifstream(run + "/result.json"))["config"];
  for (const char* name : {"result.json", "model.safetensors", "config.toml"}) {
    fs::remove(run + "/" + name);
  }
  std::ofstream(run + "/failed.json") << json{{"error", "training diverged in epoch 4"},
                                              {"data", scratch_->path("data")},
                                              {"config", config}};
  const json report = report_of({run, scratch_->path("runs/bc")});
  ASSERT_EQ(report["data_sets"].size(), 1U) << "it stands beside the runs of its data";
  EXPECT_EQ(report["runs"][0]["state"], "diverged");
  EXPECT_TRUE(says(report, "training diverged in epoch 4"));
  EXPECT_EQ(report["runs"][0]["training"].size(), 3U);
  EXPECT_NE(report["runs"][0]["finding"].get<std::string>().find("diverged"), std::string::npos);
  const json alone = report_of({run});
  EXPECT_GT(alone["data_sets"][0]["statistics"]["users"], 0);
  EXPECT_FALSE(report::make_figures(alone).empty());
}

TEST_F(Report, UnfinishedAndDamagedRunsAreTold) {
  const std::string unfinished = copy_of("runs/bpr", "hurt/unfinished");
  fs::remove(unfinished + "/result.json");
  const std::string cut = copy_of("runs/bc", "hurt/cut");
  fs::resize_file(cut + "/model.safetensors", 100);
  const std::string without = copy_of("runs/bc", "hurt/without");
  fs::remove(without + "/model.safetensors");
  const std::string odd = copy_of("runs/bc", "hurt/odd");
  std::ofstream(odd + "/config.toml") << "loss = [\n";
  const json report = report_of({unfinished, cut, without, odd});
  for (const char* text : {"[]", "{", R"({"evaluations": {"test": {"recall@20": "x"}}})",
                           R"({"evaluations": [1], "timing": 3})", R"({"groups": {"a": 1}})"}) {
    const std::string strange = copy_of("runs/bc", "strange");
    std::ofstream(strange + "/result.json") << text;
    std::ofstream(strange + "/events.jsonl") << R"({"epoch":1,"best":"yes"})"
                                             << "\n[]\nnull\n";
    const json told = report_of({strange});
    EXPECT_FALSE(told["runs"][0]["problem"].get<std::string>().empty()) << text;
    EXPECT_FALSE(report::make_page(told).empty());
    fs::remove_all(strange);
  }
  EXPECT_EQ(report["runs"][0]["state"], "unfinished");
  for (const std::size_t run : {1U, 2U, 3U}) {
    EXPECT_EQ(report["runs"][run]["state"], "no-model") << run;
    EXPECT_FALSE(report["runs"][run]["evaluations"].empty()) << run;
    EXPECT_TRUE(report["runs"][run]["geometry"].is_null()) << run;
  }
  EXPECT_FALSE(report::make_page(report).empty());
  EXPECT_FALSE(report::make_figures(report).empty());
}

TEST_F(Report, ATrainingThatGoesOnStandsBesideTheRunsOfItsData) {
  const std::string going = copy_of("runs/bpr", "going/bpr");
  for (const char* name : {"result.json", "model.safetensors"}) fs::remove(going + "/" + name);
  const json report = report_of({going, scratch_->path("runs/bc")});
  ASSERT_EQ(report["data_sets"].size(), 1U);
  EXPECT_EQ(report["runs"][0]["state"], "unfinished");
  EXPECT_EQ(report["title"], "2 methods on data");
  fs::remove(going + "/checkpoint.safetensors");  // it is too young to have one
  const json young = report_of({going, scratch_->path("runs/bc")});
  EXPECT_EQ(young["data_sets"].size(), 2U);
  EXPECT_EQ(young["title"], "2 methods on data");
}

TEST_F(Report, AModelRemembersDataThatIsGone) {
  write_hostile_data(*scratch_, "lost");
  train_small(scratch_->path("lost"), scratch_->path("lost_run"), {{"loss", "bc"}});
  fs::remove_all(scratch_->path("lost"));
  const json report = report_of({scratch_->path("lost_run")});
  const json& run = report["runs"][0];
  EXPECT_EQ(run["state"], "ok");
  EXPECT_EQ(run["evaluations"].size(), 2U);
  EXPECT_TRUE(run["exposure"].is_object());
  EXPECT_TRUE(run["geometry"].is_object());
  EXPECT_FALSE(report["data_sets"][0]["explore"].empty());
}

TEST_F(Report, OtherSplitSeedsNumberRowsAnew) {
  std::string log = "user,item\n";
  const Random random(4, Purpose::kMarket);
  for (std::uint32_t user = 0; user < 40; ++user) {
    for (std::uint32_t n = 0; n < 10; ++n) {
      log += "u" + std::to_string(user) + ",i" + std::to_string(bounded(random.word(user, n), 30)) +
             "\n";
    }
  }
  const std::string file = scratch_->write("log.csv", log);
  train_small(file, scratch_->path("seeds/1"), {{"loss", "bc"}, {"seed", "1"}});
  train_small(file, scratch_->path("seeds/2"), {{"loss", "bc"}, {"seed", "2"}});
  const json report = report_of({scratch_->path("seeds")});
  ASSERT_EQ(report["data_sets"][0]["methods"].size(), 1U);
  const json& method = report["data_sets"][0]["methods"][0];
  EXPECT_EQ(method["evaluations"][0]["seeds"], 2);
  EXPECT_TRUE(method["evaluations"][0]["sd"]["recall"].is_number());
  EXPECT_EQ(report["runs"][1]["label"], "bc, seed 2");
  EXPECT_EQ(report["runs"][1]["explore"].size(), report["data_sets"][0]["explore"].size());
  EXPECT_TRUE(report["data_sets"][0]["comparisons"].empty()) << "their tests differ";
}

TEST_F(Report, ThreeHundredRunsStaySmall) {
  for (int n = 0; n < 300; ++n)
    copy_of(n % 2 == 0 ? "runs/bc" : "runs/bpr", fmt::format("many/{}", n));
  const json report = report_of({scratch_->path("many")});
  ASSERT_EQ(report["runs"].size(), 300U);
  EXPECT_TRUE(says(report, "300 runs"));
  std::size_t detailed = 0;
  std::set<std::string> labels;
  for (const json& run : report["runs"]) {
    detailed += run["detailed"].get<bool>() ? 1 : 0;
    labels.insert(run["label"].get<std::string>());
    EXPECT_FALSE(run["evaluations"].empty());
  }
  EXPECT_EQ(detailed, 12U);
  EXPECT_EQ(labels.size(), 300U);
  EXPECT_LT(report::script_safe(report).size(), 3000000U);
}

}  // namespace
}  // namespace evenkeel::testing
