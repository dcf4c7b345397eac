// In: the files of experiments/. Out: each parses, its options go together, and it keeps the rules
// that docs/experiments.md promises: one budget for all, strength 0 among BC's candidates, nothing
// chosen by a test.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "experiment/experiment.h"
#include "experiment/paper_tables.h"
#include "experiment/search.h"
#include "real_data.h"
#include "train/complete_settings.h"
#include "train/options.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = testing::source_folder() / "experiments";
constexpr std::size_t kBudget = 12;

std::vector<fs::path> files_in(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(kFolder / folder)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <typename Visit>  // (plan, cell, candidates) of every row of every file
void for_cells(const std::vector<std::string>& folders, Visit visit) {
  for (const fs::path& file : files_in(folders)) {
    SCOPED_TRACE(file.string());
    const Plan plan = read_plan(file.string());
    for (const DataPlan& data : plan.data) {
      for (const EncoderPlan& encoder : plan.encoders) {
        const std::vector<Cell> cells = cells_of(plan, data, encoder);
        EXPECT_FALSE(cells.empty()) << data.name << ", " << encoder.name;
        for (const Cell& cell : cells) {
          visit(plan, cell, candidates_of(cell.method->search, plan.tuning, plan.tuning_seed));
        }
      }
    }
  }
}

const std::vector<std::string> kTuned{"main", "unbiased", "temporal", "public"};
const std::vector<std::string> kAll{"main", "unbiased", "temporal", "public", "studies", "earlier"};

TEST(Shipped, EveryCandidateHasOptionsThatGoTogether) {
  std::size_t seen = 0;
  for_cells(kAll, [&](const Plan& plan, const Cell& cell, const std::vector<Options>& candidates) {
    for (const Options& candidate : candidates) {
      Settings settings = settings_of(plan, cell, candidate, 1);
      ASSERT_NO_THROW(train::resolve_defaults(settings)) << cell.method->name;
      const bool sees_batch = loss::find_loss(settings.text("loss")).make_batch != nullptr;
      if (!sees_batch) {  // those are told that negatives are one each
        ASSERT_NO_THROW(train::train_options(settings)) << cell.method->name;
      }
      ++seen;
    }
  });
  EXPECT_GT(seen, 2000U);
}

TEST(Shipped, EveryTunedMethodHasTheSameBudget) {
  for_cells(kTuned, [](const Plan& plan, const Cell& cell, const std::vector<Options>& candidates) {
    EXPECT_EQ(plan.tuning.kind, TuningKind::kHalving);
    if (cell.method->search.empty()) return;
    EXPECT_EQ(candidates.size(), kBudget) << cell.method->name << " with " << cell.encoder->name;
  });
}

TEST(Shipped, EveryTunedBcLossMayChooseNoMargin) {
  std::size_t seen = 0;
  for_cells(kTuned,
            [&](const Plan& plan, const Cell& cell, const std::vector<Options>& candidates) {
              const Settings fixed = settings_of(plan, cell, {}, 1);
              if (cell.method->search.empty() || !cell.method->ours) return;
              bool none = false;
              for (const Options& candidate : candidates) {
                none = none || settings_of(plan, cell, candidate, 1).number("margin-strength") == 0;
              }
              EXPECT_TRUE(none) << cell.method->name << " on " << cell.data->name << " with "
                                << cell.encoder->name << " (" << fixed.text("loss") << ")";
              ++seen;
            });
  EXPECT_GT(seen, 50U);
}

TEST(Shipped, SeedsAreEnoughAndNoCorrectionIsGivenByHand) {
  for_cells(kTuned, [](const Plan& plan, const Cell& cell, const std::vector<Options>&) {
    const bool small = cell.data->name == "Coat" || cell.data->name == "Yahoo!R3";
    EXPECT_EQ(plan.seeds.size(), small ? 5U : 3U) << cell.data->name;
    EXPECT_FALSE(settings_of(plan, cell, {}, 1).is_set("debias")) << cell.method->name;
  });
}

// A folder with train and tests alone has its validation cut from train: the final runs get it
// back.
TEST(Shipped, RefitsWhereValidationIsCutFromTrain) {
  EVENKEEL_NEEDS_SHARED("data");
  for (const fs::path& file : files_in(kTuned)) {
    const Plan plan = read_plan(file.string());
    for (const DataPlan& data : plan.data) {
      const fs::path folder = testing::shared_folder() / "data" / data.path;
      if (!data.split.empty() || !fs::is_directory(folder)) continue;
      EXPECT_EQ(plan.tuning.refit, !fs::exists(folder / "valid.txt")) << file;
    }
  }
}

TEST(Shipped, FilesPlanWhereTheirDataIs) {
  EVENKEEL_NEEDS_SHARED("data");
  for (const char* name : {"unbiased/coat", "temporal/ml-100k", "public/irb-health"}) {
    ExperimentRequest request;
    request.plan = read_plan((kFolder / (std::string(name) + ".toml")).string());
    request.plan.data_root = (testing::shared_folder() / "data").string();
    request.out = ::testing::TempDir() + "never-written";
    for (const PlannedCell& cell : planned_cells(request)) {
      if (!cell.problem.empty()) continue;  // that data set is absent
      EXPECT_GT(cell.final_runs.runs, 0U) << name << ", " << cell.method;
    }
    EXPECT_FALSE(fs::exists(request.out));
  }
}

TEST(Shipped, TablesOfThePaperNameBlocksThatFilesHave) {
  std::set<std::string> known;
  for (const fs::path& file : files_in({"main", "unbiased", "temporal", "studies"})) {
    const Plan plan = read_plan(file.string());
    for (const DataPlan& data : plan.data) {
      for (const EncoderPlan& encoder : plan.encoders) {
        for (const std::string& test : data.tests) {
          known.insert(plan.title + "/" + data.name + "/" + encoder.name + "/" + test);
        }
      }
    }
  }
  for (const PaperTable& table : read_paper_tables((kFolder / "tables.toml").string())) {
    EXPECT_FALSE(table.blocks.empty()) << table.name;
    EXPECT_GT(table.hours, 0) << table.name;
    for (const PaperTable::Block& block : table.blocks) {
      bool found = false;
      for (const std::string& title : table.experiments) {
        found = found ||
                known.contains(title + "/" + block.data + "/" + block.encoder + "/" + block.test);
      }
      EXPECT_TRUE(found) << table.name << ": " << block.data << ", " << block.encoder;
    }
  }
}

// The verdict of the first screen is computed: no word of it is written by hand.
TEST(PaperScreen, SaysHowOursStands) {
  const std::vector<PaperTable> tables{
      {"Whole", "experiments/x", {"T"}, "", 9, {{"D", "MF", "test"}}},
      {"Half", "experiments/x", {"T"}, "Why.", 9, {{"D", "MF", "test"}, {"E", "MF", "test"}}},
      {"Other title", "experiments/x", {"U"}, "", 9, {{"D", "MF", "test"}}}};
  const auto screen = [&](double difference, double p) {
    const auto row = [](const char* name, bool ours, double recall) {
      return nlohmann::json{{"method", name},
                            {"ours", ours},
                            {"paper", {{"test", {{"recall", 0.5}, {"ndcg", 0.4}}}}},
                            {"valid", {{"recall", {{"mean", 0.1}}}}},
                            {"tests", {{"test", {{"recall", {{"mean", recall}}}}}}}};
    };
    const nlohmann::json entry{
        {"baseline", "SSM"}, {"difference", difference}, {"p", p / 2}, {"p_holm", p}};
    const nlohmann::json block{
        {"data", "D"},
        {"encoder", "MF"},
        {"tests", {"test"}},
        {"rows", {row("SSM", false, 0.2), row("BC loss", true, 0.2 + difference)}},
        {"comparison", {{"test", {{"recall", entry}}}}}};
    const std::vector<nlohmann::json> results{{{"title", "T"}, {"blocks", {block}}}};
    return paper_screen(tables, results);
  };
  const std::string ahead = screen(0.01, 0.04);
  EXPECT_NE(ahead.find("| Whole | **reproduced**"), std::string::npos) << ahead;
  EXPECT_NE(ahead.find("| Half | **partly**: 1 of 2"), std::string::npos) << ahead;
  EXPECT_NE(ahead.find("| Other title | **not yet run** | – |"), std::string::npos) << ahead;
  EXPECT_NE(ahead.find("D MF test: 0.2100 (BC loss)"), std::string::npos) << ahead;
  EXPECT_NE(screen(0.01, 0.06)
                .find("| Whole | **partly**: 1 of 1 blocks run, BC loss ahead in 0, "
                      "equal in 1"),
            std::string::npos);
  EXPECT_NE(screen(-0.01, 0.01).find("| Whole | **not reproduced**"), std::string::npos);
}

}  // namespace
}  // namespace evenkeel::experiment
