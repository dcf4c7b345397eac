// In: small experiments. Out: the same tables however often they are stopped, and dashes where a
// method or a data set fails.
#include "experiment/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/rng.h"
#include "data/scratch.h"
#include "experiment/auto_tune.h"
#include "experiment/summary.h"
#include "io/sha256.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;

// Users like items of their own third, popular ones more; one pair in five goes to each part.
void write_market(const Scratch& scratch) {
  std::string parts[4];
  const Random random(5, Purpose::kMarket);
  for (std::uint32_t user = 0; user < 90; ++user) {
    std::string lines[4];
    for (std::uint32_t item = user % 3; item < 60; item += 3) {
      const double x = random.uniform(user, item);
      if (x > 0.9 - item * 0.006) continue;
      const std::uint32_t part = random.word(user, 1000 + item) % 6;
      lines[part < 3 ? 0 : part - 2] += " " + std::to_string(item);
    }
    for (int part = 0; part < 4; ++part) {
      if (!lines[part].empty()) parts[part] += std::to_string(user) + lines[part] + "\n";
    }
  }
  scratch.write("market/train.txt", parts[0]);
  scratch.write("market/valid.txt", parts[1]);
  scratch.write("market/test_id.txt", parts[2]);
  scratch.write("market/test_ood.txt", parts[3]);
}

std::string plan_text(std::string_view tuning) {
  return fmt::format(R"(seeds = [1, 2]
[tuning]
{}
[common]
epochs = 8
dim = 8
batch = 64
eval-every = 1
lr = 0.02
negatives = 8
threads = 1
[[data]]
name = "Market"
path = "market"
[[encoder]]
name = "MF"
[[method]]
name = "MostPop"
options = {{ loss = "most-pop" }}
[[method]]
name = "SSM"
options = {{ loss = "softmax" }}
search = {{ tau = [0.1, 0.2, 0.4, 0.8] }}
[[method]]
name = "BC loss"
ours = true
options = {{ loss = "bc", extractor-epochs = 1 }}
search = {{ tau = [0.2, 0.4], margin-strength = [0.2, 0.5] }}
)",
                     tuning);
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

const std::atomic<bool> kGoOn{false};

// Stops the experiment after so many epochs of any run.
class Stopper : public ExperimentObserver {
 public:
  explicit Stopper(int epochs) : left_(epochs) {}
  void on_run_epoch(const RunProgress&, const train::EpochProgress& news) override {
    if (news.phase == "train") ++epochs;
    if (--left_ == 0) stop = true;
  }
  void on_run_start(const RunProgress&) override { ++started; }
  std::atomic<bool> stop{false};
  int started = 0, epochs = 0;

 private:
  int left_;
};

class Experiment : public ::testing::Test {
 protected:
  void SetUp() override { write_market(scratch_); }
  ExperimentRequest request(const std::string& out, const std::string& text) {
    ExperimentRequest request;
    request.plan = read_plan(scratch_.write("plan.toml", text));
    request.out = scratch_.path(out);
    request.limits.threads = 1;
    return request;
  }
  Scratch scratch_;
};

void expect_same_when_stopped(const ExperimentRequest& whole, ExperimentRequest stopped) {
  ExperimentObserver silent;
  run_experiment(whole, silent, kGoOn);
  int stops = 0;
  for (bool done = false; !done; ++stops) {
    Stopper stopper(17);
    try {
      run_experiment(stopped, stopper, stopper.stop);
      done = true;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::kInterrupted) << error.what();
    }
    ASSERT_LT(stops, 50) << "it makes no way";
  }
  EXPECT_GT(stops, 3);
  EXPECT_EQ(text_of(stopped.out + "/table.json"), text_of(whole.out + "/table.json"));
  EXPECT_EQ(text_of(stopped.out + "/table.csv"), text_of(whole.out + "/table.csv"));
}

TEST_F(Experiment, StoppedAgainAndAgainItEndsTheSame) {
  const std::string text = plan_text("kind = \"grid\"");
  expect_same_when_stopped(request("whole", text), request("stopped", text));
}

TEST_F(Experiment, HalvingStoppedAgainAndAgainEndsTheSame) {
  const std::string text = plan_text("kind = \"halving\"\nfirst-epochs = 2");
  expect_same_when_stopped(request("whole", text), request("stopped", text));
}

TEST_F(Experiment, ASecondCallRunsNothingAndJobsDoNotMatter) {
  const std::string text = plan_text("kind = \"grid\"");
  Stopper counter(-1);
  const ExperimentOutcome first = run_experiment(request("out", text), counter, kGoOn);
  EXPECT_EQ(counter.started, 4 + 4 + 6 - 2) << "tuned and final runs; two are taken over";
  Stopper second(-1);
  EXPECT_EQ(run_experiment(request("out", text), second, kGoOn).table, first.table);
  EXPECT_EQ(second.started, 0);
  ExperimentRequest both = request("jobs", text);
  both.limits.jobs = 3;
  ExperimentObserver silent;
  EXPECT_EQ(run_experiment(both, silent, kGoOn).table, first.table);
}

TEST_F(Experiment, ARungGoesOnFromTheOneBefore) {
  Stopper counter(-1);
  run_experiment(request("out", plan_text("kind = \"halving\"\nfirst-epochs = 2")), counter, kGoOn);
  // Two methods: four candidates to epoch 2, two on to 6, one on to 8; then seed 2, all eight.
  EXPECT_EQ(counter.epochs, 2 * (4 * 2 + 2 * 4 + 1 * 2 + 8));
}

// Chosen on what is held out of train, then trained on all of it for as many epochs.
TEST_F(Experiment, ARefitTrainsOnEverything) {
  fs::remove(scratch_.path("market/valid.txt"));
  ExperimentObserver silent;
  const ExperimentOutcome outcome =
      run_experiment(request("out", plan_text("kind = \"grid\"\nrefit = true")), silent, kGoOn);
  const json& row = outcome.table["blocks"][0]["rows"][1];
  double best = -1;
  int epochs = 0;
  for (const auto& entry : fs::directory_iterator(scratch_.path("out/tune/market/mf/ssm"))) {
    const json result = json::parse(text_of((entry.path() / "result.json").string()));
    const double figure = result["evaluations"]["valid"]["recall@20"];
    if (figure > best) epochs = result["best_epoch"];
    best = std::max(best, figure);
  }
  EXPECT_EQ(row["valid"]["recall"]["mean"], best);
  int runs = 0;
  for (const auto& entry : fs::directory_iterator(scratch_.path("out/runs/market/mf/ssm"))) {
    const json result = json::parse(text_of((entry.path() / "result.json").string()));
    EXPECT_EQ(result["config"]["validation"], 0.0);
    EXPECT_EQ(result["epochs"], epochs);
    EXPECT_FALSE(result["evaluations"].contains("valid"));
    ++runs;
  }
  EXPECT_EQ(runs, 2);
}

// As if a default of the program had been another when the runs were made.
TEST_F(Experiment, AChangedDefaultRerunsOnlyMethodsThatHaveTheOption) {
  const ExperimentRequest one = request("out", plan_text("kind = \"grid\""));
  ExperimentObserver silent;
  run_experiment(one, silent, kGoOn);
  for (const char* method : {"ssm", "bc-loss"}) {
    for (const char* kind : {"tune", "runs"}) {
      const std::string folder = one.out + "/" + kind + "/market/mf/" + method;
      for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string path = (entry.path() / "result.json").string();
        json result = json::parse(text_of(path));
        result["config"]["margin-shape"] = "monotone";
        std::ofstream(path) << result.dump();
      }
    }
  }
  Stopper counter(1 << 30);
  run_experiment(one, counter, counter.stop);
  EXPECT_EQ(counter.started, 4 + 1)
      << "candidates of BC loss, and the seed that tuning has not trained";
}

TEST_F(Experiment, TheTableSaysWhatTheRunsSay) {
  ExperimentObserver silent;
  const ExperimentOutcome outcome =
      run_experiment(request("out", plan_text("kind = \"grid\"")), silent, kGoOn);
  const json& block = outcome.table["blocks"][0];
  EXPECT_EQ(block["tests"], (json{"test_id", "test_ood"}));
  ASSERT_EQ(block["rows"].size(), 3U);
  double best = -1, chosen = -2;
  for (const auto& entry : fs::directory_iterator(scratch_.path("out/tune/market/mf/ssm"))) {
    const json result = json::parse(text_of(entry.path().string() + "/result.json"));
    const double figure = result["evaluations"]["valid"]["recall@20"];
    best = std::max(best, figure);
    if (result["config"]["tau"] == block["rows"][1]["chosen"]["tau"]) chosen = figure;
    EXPECT_FALSE(fs::exists(entry.path() / "checkpoint.safetensors"));
    EXPECT_FALSE(fs::exists(entry.path() / "model.safetensors"));
  }
  EXPECT_EQ(chosen, best);
  double sum = 0;
  for (const auto& entry : fs::directory_iterator(scratch_.path("out/runs/market/mf/ssm"))) {
    const json result = json::parse(text_of(entry.path().string() + "/result.json"));
    sum += result["evaluations"]["test_ood"]["ndcg@20"].get<double>();
  }
  EXPECT_NEAR(block["rows"][1]["tests"]["test_ood"]["ndcg"]["mean"].get<double>(), sum / 2, 1e-12);
  const json& comparison = block["comparison"]["test_id"]["recall"];
  EXPECT_EQ(comparison["ours"], "BC loss");
  const double ours = block["rows"][2]["tests"]["test_id"]["recall"]["mean"];
  const json& baseline = block["rows"][comparison["baseline"] == "SSM" ? 1 : 0];
  const double other = baseline["tests"]["test_id"]["recall"]["mean"];
  EXPECT_NEAR(comparison["difference"].get<double>(), ours - other, 1e-9)
      << "users and means agree";
  EXPECT_NEAR(comparison["improvement"].get<double>(), 100 * (ours / other - 1), 1e-9);
  EXPECT_GE(comparison["p_holm"].get<double>(), comparison["p"].get<double>());
  EXPECT_GE(comparison["wilcoxon_p_holm"].get<double>(), comparison["wilcoxon_p"].get<double>());
  EXPECT_TRUE(block["rows"][0]["popularity"]["test_id"].contains("pop_reo"));
}

TEST_F(Experiment, AnotherKIsEvaluatedFromTheModels) {
  ExperimentObserver silent;
  const json at5 = run_experiment(request("out", "k = 5\n" + plan_text("")), silent, kGoOn).table;
  const json at20 = run_experiment(request("out", plan_text("")), silent, kGoOn).table;
  const auto recall = [](const json& table) {
    return table["blocks"][0]["rows"][1]["tests"]["test_id"]["recall"]["mean"].get<double>();
  };
  EXPECT_LT(recall(at5), recall(at20));
  EXPECT_GT(recall(at5), 0);
}

TEST_F(Experiment, AFailingMethodIsADashAndAMissingDataSetIsNamed) {
  ExperimentObserver silent;
  const std::string text = plan_text("") + R"([[method]]
name = "Wrong"
options = { loss = "softmax", negatives = "in-batch", shared-negatives = true }
[[data]]
name = "Gone"
path = "gone"
)";
  const ExperimentOutcome outcome = run_experiment(request("out", text), silent, kGoOn);
  ASSERT_EQ(outcome.failures.size(), 1U);
  expect_holds(outcome.failures[0], {"Wrong", "--shared-negatives"});
  ASSERT_EQ(outcome.missing.size(), 1U);
  expect_holds(outcome.missing[0], {"gone", "--data-root"});
  expect_holds(text_of(scratch_.path("out/table.md")), {"| Wrong | – |", "gone"});
  EXPECT_TRUE(outcome.table["blocks"][0]["rows"][2].contains("tests")) << "the others go on";
  std::size_t errors = 0;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_.path("out/runs"))) {
    if (entry.path().filename() == "error.json") ++errors;
  }
  EXPECT_EQ(errors, 2U);
}

TEST_F(Experiment, ADamagedRecordIsRunAgain) {
  const std::string text = plan_text("");
  ExperimentObserver silent;
  const json table = run_experiment(request("out", text), silent, kGoOn).table;
  std::string record;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_.path("out/runs"))) {
    if (entry.path().filename() == "result.json") record = entry.path().string();
  }
  ASSERT_NE(record, "");
  const json good = json::parse(text_of(record));
  const auto with = [&](const char* key, json value) {
    json bad = good;
    bad[key] = std::move(value);
    return bad.dump();
  };
  const std::string deep(100'000, '[');
  for (const std::string& bad :
       {deep, with("timing", {{"train_seconds", "x"}}), with("epochs", "many"),
        with("evaluations", {{"valid", {{"hr@20", 0.5}}}})}) {
    std::ofstream(record) << bad;
    Stopper counter(-1);
    EXPECT_EQ(run_experiment(request("out", text), counter, kGoOn).table, table);
    EXPECT_EQ(counter.started, 1) << bad.substr(0, 80);
  }
}

TEST_F(Experiment, AChangedOptionIsRunAgain) {
  ExperimentObserver silent;
  const std::string text = plan_text("");
  run_experiment(request("out", text), silent, kGoOn);
  std::string other = text;
  other.replace(other.find("lr = 0.02"), 9, "lr = 0.03");
  Stopper counter(-1);
  run_experiment(request("out", other), counter, kGoOn);
  EXPECT_GT(counter.started, 8);
}

TEST_F(Experiment, AnUnknownTestIsNamed) {
  ExperimentObserver silent;
  std::string text = plan_text("");
  text.replace(text.find("path = \"market\""), 15, "path = \"market\"\ntests = [\"test_oood\"]");
  expect_holds(
      failure_of(ErrorKind::kConfig, [&] { run_experiment(request("out", text), silent, kGoOn); }),
      {"'test_oood'", "'test_ood'"});
}

TEST_F(Experiment, PartsOfAFolderAreCutAnewTogether) {
  ExperimentObserver silent;
  std::string text = plan_text("");
  text.replace(text.find("path = \"market\""), 15,
               "path = \"market\"\nsplit = { split = \"random\", format = \"adjacency\" }");
  const json block = run_experiment(request("out", text), silent, kGoOn).table["blocks"][0];
  EXPECT_EQ(block["tests"], json{"test"});
  const auto pairs_of = [](const std::string& file) {
    const std::string parts = text_of(file);
    return std::count(parts.begin(), parts.end(), ' ');
  };
  std::ptrdiff_t pairs = 0;
  for (const char* part : {"train", "valid", "test_id", "test_ood"}) {
    pairs += pairs_of(scratch_.path("market/") + part + ".txt");
  }
  EXPECT_NEAR(block["interactions"].get<double>(), 0.8 * static_cast<double>(pairs), 2);
}

TEST_F(Experiment, ThePlanCountsItsRuns) {
  const ExperimentRequest one = request("out", plan_text("kind = \"halving\"\nfirst-epochs = 2"));
  const std::vector<PlannedCell> before = planned_cells(one);
  ASSERT_EQ(before.size(), 3U);
  EXPECT_EQ(before[0].tuning.runs, 0U);
  EXPECT_EQ(before[1].tuning.runs, 4U + 2U + 1U);
  EXPECT_EQ(before[1].final_runs.runs, 2U);
  EXPECT_GT(before[1].tuning.seconds, 0);
  EXPECT_FALSE(fs::exists(one.out)) << "a plan writes nothing";
}

// Runs, tables and the comparison below them rank the same items.
TEST_F(Experiment, CandidatesOfATestHoldInEveryFigure) {
  scratch_.write("block/train.txt", text_of(scratch_.path("market/train.txt")));
  scratch_.write("block/valid.txt", text_of(scratch_.path("market/valid.txt")));
  std::string lines;
  for (int user = 0; user < 90; ++user) {
    lines += fmt::format("{} {} {}\n", user, 30 + user % 7, 40 + user % 5);
  }
  scratch_.write("block/test.txt", lines);
  std::string text = plan_text("kind = \"grid\"");
  const std::string path = "path = \"market\"";
  text.replace(text.find(path), path.size(),
               "path = \"block\"\noptions = { candidates = \"test\" }");
  ExperimentObserver silent;
  const ExperimentRequest one = request("block-out", text);
  const json block = run_experiment(one, silent, kGoOn).table["blocks"][0];
  for (const auto& entry : fs::recursive_directory_iterator(one.out + "/runs")) {
    if (entry.path().filename() != "result.json") continue;
    const json result = json::parse(text_of(entry.path().string()))["evaluations"];
    EXPECT_EQ(result["test"]["candidates"], 12);
    EXPECT_FALSE(result["valid"].contains("candidates"));
  }
  const json& compared = block["comparison"]["test"]["recall"];
  const auto mean = [&](const json& method) {
    for (const json& row : block["rows"]) {
      if (row["method"] == method) return row["tests"]["test"]["recall"]["mean"].get<double>();
    }
    return -1.0;
  };
  EXPECT_NEAR(compared["difference"].get<double>(),
              mean(compared["ours"]) - mean(compared["baseline"]), 1e-12);
}

TEST_F(Experiment, OnlyNamedBlocksAreRun) {
  std::string text = plan_text("kind = \"grid\"");
  text += "[[encoder]]\nname = \"Graph\"\noptions = { encoder = \"lightgcn\" }\n";
  const Plan plan = request("out", text).plan;
  EXPECT_EQ(only_these(plan, {}).encoders.size(), 2U);
  EXPECT_EQ(only_these(plan, {"Market"}).encoders.size(), 2U) << "no encoder is named: all stay";
  const Plan one = only_these(plan, {"Graph", "Market"});
  ASSERT_EQ(one.encoders.size(), 1U);
  EXPECT_EQ(one.encoders[0].name, "Graph");
  EXPECT_EQ(one.data.size(), 1U);
  expect_holds(failure_of(ErrorKind::kConfig, [&] { only_these(plan, {"Grph"}); }),
               {"--only", "Grph", "Graph"});
}

TEST_F(Experiment, ResultsPageNamesSeedsAndCommand) {
  ExperimentObserver silent;
  ExperimentRequest one = request("out", "notes = \"Noise.\"\n" + plan_text(""));
  one.command = "evenkeel experiment plan.toml";
  run_experiment(one, silent, kGoOn);
  const PageRequest folders{{one.out}, "", ""};
  expect_holds(results_page(folders), {"`evenkeel experiment plan.toml`", "seeds 1, 2", "Noise.",
                                       "### Market, MF", "BC loss"});
  const std::string page = results_page(folders);
  EXPECT_LT(page.find("## Summary"), page.find("### Market, MF"));
  EXPECT_LT(page.find("| Market, MF | test_ood | "), page.find("### Market, MF"));
  EXPECT_NE(page.find(io::sha256_hex(text_of(one.out + "/table.json"))), std::string::npos);
  const PageRequest none{{scratch_.path("none")}, "", ""};
  failure_of(ErrorKind::kData, [&] { results_page(none); });
}

Settings short_settings(std::string_view epochs) {
  Settings settings = train::run_settings();
  settings.set("epochs", epochs);
  for (const auto& [name, value] : {std::pair{"loss", "softmax"},
                                    {"dim", "8"},
                                    {"negatives", "8"},
                                    {"threads", "1"},
                                    {"batch", "64"},
                                    {"eval-every", "1"}}) {
    settings.set(name, std::string_view(value));
  }
  return settings;
}

TEST_F(Experiment, AutoTrainsTheChosenSettingOnce) {
  ExperimentObserver silent;
  train::Observer quiet;
  Settings settings = short_settings("30");
  const train::RunRequest run{scratch_.path("market"), scratch_.path("run"), false, false};
  const json result = train_auto(run, settings, {6, 0}, silent, quiet, kGoOn);
  const json trials = json::parse(text_of(scratch_.path("run/auto/trials.json")));
  ASSERT_EQ(trials.size(), 6U);
  EXPECT_EQ(result["evaluations"]["valid"]["recall@20"], trials[0]["valid"]["recall@20"]);
  for (const json& trial : trials) EXPECT_FALSE(trial.contains("error"));
  EXPECT_FALSE(fs::exists(scratch_.path("run/auto/tune")));
  // The same settings trained in one go give the same model: nothing of the search is left in it.
  settings.set("tau", Value(result["config"]["tau"].get<double>()));
  settings.set("lr", Value(result["config"]["lr"].get<double>()));
  train::train_run({scratch_.path("market"), scratch_.path("plain"), false, false}, settings, quiet,
                   kGoOn);
  EXPECT_TRUE(text_of(scratch_.path("plain/model.safetensors")) ==
              text_of(scratch_.path("run/model.safetensors")));
  failure_of(ErrorKind::kConfig, [&] { train_auto(run, settings, {}, silent, quiet, kGoOn); });
}

TEST_F(Experiment, AFinishedAutoRunGoesOnWithItsChoice) {
  ExperimentObserver silent;
  train::Observer quiet;
  Settings settings = short_settings("4");
  train::RunRequest run{scratch_.path("market"), scratch_.path("run"), false, false};
  const json first = train_auto(run, settings, {3, 0}, silent, quiet, kGoOn);
  settings.set("epochs", std::string_view("6"));
  run.resume = true;
  const json longer = train_auto(run, settings, {3, 0}, silent, quiet, kGoOn);
  EXPECT_EQ(longer["config"]["tau"], first["config"]["tau"]);
  EXPECT_EQ(longer["config"]["lr"], first["config"]["lr"]);
  EXPECT_EQ(longer["epochs"], 6);
}

TEST_F(Experiment, ASpentBudgetStillRanks) {
  ExperimentObserver silent;
  ExperimentRequest one;
  Settings settings = train::run_settings();
  settings.set("loss", std::string_view("softmax"));
  settings.set("dim", std::string_view("8"));
  settings.set("negatives", std::string_view("8"));
  one.plan = single_plan(scratch_.path("market"), settings, {parse_axis("tau=0.1,0.2,0.3")});
  one.out = scratch_.path("sweep");
  one.limits.set_seconds(1e-9);
  const std::vector<Ranking> rankings = run_sweep(one, silent, kGoOn);
  ASSERT_EQ(rankings.size(), 1U);
  ASSERT_EQ(rankings[0].results.size(), 3U);
  expect_holds(rankings[0].results[0].error, {"budget"});
}

}  // namespace
}  // namespace evenkeel::experiment
