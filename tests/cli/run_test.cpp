// In: a small log. Out: a run folder, and every command that uses it.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

std::vector<std::string> train_words(const std::string& data, const std::string& run,
                                     std::vector<std::string> more = {}) {
  std::vector<std::string> words{"train",  data, "--out",       run,   "--epochs", "3",
                                 "--dim",  "8",  "--negatives", "4",   "--batch",  "64",
                                 "--loss", "bc", "--lr",        "0.01"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// One trained run for all tests of this file.
class Run : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    write_text(*folder_ / "log.csv", tiny_log(60, 36, 15));
    trained_ = new Finished(run_binary(train_words(*folder_ / "log.csv", *folder_ / "run")));
  }
  static void TearDownTestSuite() {
    delete trained_;
    delete folder_;
  }
  void SetUp() override { ASSERT_EQ(trained_->exit_code, 0) << trained_->err; }

  static std::string path(const std::string& name) { return *folder_ / name; }
  static json answer(std::vector<std::string> words) {
    const Finished finished = run_binary(std::move(words));
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return json::parse(finished.out);
  }

  static TempFolder* folder_;
  static Finished* trained_;
};

TempFolder* Run::folder_ = nullptr;
Finished* Run::trained_ = nullptr;

TEST_F(Run, FolderHoldsWhatTheDocumentationSays) {
  for (const char* name : {"model.safetensors", "config.toml", "events.jsonl",
                           "checkpoint.safetensors", "result.json"}) {
    EXPECT_TRUE(fs::exists(path("run") + "/" + name)) << name;
  }
  EXPECT_TRUE(contains(trained_->out, "recall@20")) << trained_->out;
  EXPECT_TRUE(contains(trained_->out, "valid")) << trained_->out;
  EXPECT_TRUE(contains(trained_->err, "users")) << trained_->err;
  EXPECT_TRUE(contains(trained_->err, "evenkeel recommend")) << trained_->err;
  const json result = json::parse(read_text(path("run/result.json")));
  for (const char* key : {"evaluations", "groups", "best_epoch", "epochs", "timing", "threads",
                          "processor", "peak_memory_bytes", "config"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  EXPECT_EQ(result["config"]["dim"], 8);
  EXPECT_EQ(result["epochs"], 3);
}

TEST_F(Run, AFinishedRunIsNotOverwrittenUnasked) {
  const std::string before = read_text(path("run/model.safetensors"));
  expect_error(run_binary(train_words(path("log.csv"), path("run"))), 2, {"--overwrite"});
  EXPECT_EQ(read_text(path("run/model.safetensors")), before);
}

TEST_F(Run, ConfigFileGivesTheSameModel) {
  const Finished again = run_binary({"train", path("log.csv"), "--out", path("again"), "--config",
                                     path("run/config.toml"), "--quiet"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, "") << "--quiet";
  EXPECT_EQ(read_text(path("again/model.safetensors")), read_text(path("run/model.safetensors")));
}

TEST_F(Run, RecommendsUnknownItemsOnlyBestFirst) {
  const json one = answer({"recommend", path("run"), "--user", "u7", "--k", "5", "--json"});
  EXPECT_EQ(one["user"], "u7");
  ASSERT_EQ(one["items"].size(), 5U);
  double last = INFINITY;
  for (const json& entry : one["items"]) {
    EXPECT_TRUE(entry["item"].is_string());
    EXPECT_LE(entry["score"].get<double>(), last);
    last = entry["score"].get<double>();
  }
  const json known = answer(
      {"recommend", path("run"), "--user", "u7", "--k", "1000", "--json", "--include-known"});
  const json filtered = answer({"recommend", path("run"), "--user", "u7", "--k", "1000", "--json"});
  EXPECT_LT(filtered["items"].size(), known["items"].size());
  const Finished text = run_binary({"recommend", path("run"), "--user", "u7", "--k", "5"});
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 5);
  EXPECT_EQ(text.out.substr(0, text.out.find('\t')), one["items"][0]["item"]);
}

TEST_F(Run, RecommendsForAFileOfUsers) {
  write_text(path("users.txt"), "u1\r\n\nu2\nu1");
  const Finished tsv =
      run_binary({"recommend", path("run"), "--users", path("users.txt"), "--k", "2"});
  EXPECT_EQ(tsv.exit_code, 0) << tsv.err;
  EXPECT_EQ(std::count(tsv.out.begin(), tsv.out.end(), '\n'), 4) << tsv.out;  // u1 once
  EXPECT_EQ(tsv.out.rfind("u1\t", 0), 0U) << tsv.out;
  write_text(path("users.txt"), "u1\nstranger\n");
  expect_error(run_binary({"recommend", path("run"), "--users", path("users.txt")}), 3,
               {"stranger", "--fallback popular"});
  const Finished both = run_binary({"recommend", path("run"), "--users", path("users.txt"),
                                    "--fallback", "popular", "--json", "--k", "3"});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  const json second = json::parse(both.out.substr(both.out.find('\n') + 1));
  EXPECT_EQ(second["user"], "stranger");
  EXPECT_EQ(second["fallback"], "popular");
  EXPECT_EQ(second["items"].size(), 3U);
  expect_error(run_binary({"recommend", path("run"), "--users", path("none.txt")}), 3,
               {"none.txt"});
  write_text(path("users.txt"), "\n");
  expect_error(run_binary({"recommend", path("run"), "--users", path("users.txt")}), 3,
               {"no user"});
}

TEST_F(Run, UsersAreReadAsInteractionsAre) {
  write_text(path("bom.txt"), "\xef\xbb\xbfu1 \r\n u2\r\n");
  const Finished marked = run_binary({"recommend", path("run"), "--users", path("bom.txt")});
  EXPECT_EQ(marked.exit_code, 0) << marked.err;
  const std::string binary = program_path();
  const std::string piped = "bash -c 'set -e; printf \"u1\\nu2\\n\" | gzip > " + path("u.gz") +
                            "; " + binary + " recommend " + path("run") + " --users " +
                            path("u.gz") + " > " + path("packed.tsv") + "; printf u1 | " + binary +
                            " recommend " + path("run") + " --users - > " + path("stdin.tsv") +
                            "; " + binary + " recommend " + path("run") +
                            " --users <(printf \"u1\\nu2\") > " + path("shell.tsv") + "'";
  ASSERT_EQ(std::system(piped.c_str()), 0);
  EXPECT_EQ(read_text(path("packed.tsv")), marked.out);
  EXPECT_EQ(read_text(path("shell.tsv")), marked.out);
  EXPECT_EQ(marked.out.rfind(read_text(path("stdin.tsv")), 0), 0U);
  expect_error(run_binary({"recommend", path("run"), "--users", path("")}), 3, {"is a folder"});
}

TEST_F(Run, UnknownUsersOfAFileAreCountedOrSkipped) {
  write_text(path("mixed.txt"), "u1\nstranger\nu2\nnobody\n");
  const std::vector<std::string> words{"recommend", path("run"), "--users", path("mixed.txt")};
  expect_error(run_binary(words), 3,
               {"'stranger'", "2 of 4", "--skip-unknown", "--fallback popular"});
  auto skipping = words;
  skipping.insert(skipping.end(), {"--skip-unknown", "--json"});
  const Finished finished = run_binary(skipping);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(std::count(finished.out.begin(), finished.out.end(), '\n'), 2) << finished.out;
  EXPECT_TRUE(contains(finished.err, "2 of 4 users are not in the model")) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  skipping.insert(skipping.end(), {"--fallback", "popular"});
  expect_error(run_binary(skipping), 2, {"--skip-unknown", "--fallback popular"});
}

TEST_F(Run, UnknownIdsAreDataErrors) {
  expect_error(run_binary({"recommend", path("run"), "--user", "nobody"}), 3,
               {"'nobody'", "--fallback popular"});
  expect_error(run_binary({"recommend", path("run"), "--user", ""}), 3, {"''"});
  expect_error(run_binary({"similar", path("run"), "--item", "nothing"}), 3, {"'nothing'"});
}

TEST_F(Run, SimilarLeavesOutTheItemItself) {
  const json similar = answer({"similar", path("run"), "--item", "i3", "--k", "4", "--json"});
  ASSERT_EQ(similar["items"].size(), 4U);
  for (const json& entry : similar["items"]) {
    EXPECT_NE(entry["item"], "i3");
    EXPECT_LE(std::abs(entry["score"].get<double>()), 1.0001);
  }
}

TEST_F(Run, EvaluateReproducesTheResultOfTraining) {
  const json result = json::parse(read_text(path("run/result.json")));
  const json again = answer({"evaluate", path("run"), "--json", "--groups"});
  ASSERT_EQ(again["evaluations"].size(), result["evaluations"].size());
  for (const auto& [part, entry] : result["evaluations"].items()) {
    EXPECT_EQ(again["evaluations"][part], entry) << part;
  }
  EXPECT_EQ(again["groups"], result["groups"]);
  const Finished table =
      run_binary({"evaluate", path("run"), path("log.csv"), "--k", "5", "--groups"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "recall@5")) << table.out;
  EXPECT_TRUE(contains(table.out, "tail items")) << table.out;
  EXPECT_TRUE(contains(table.out, "pop_reo@5")) << table.out;
  EXPECT_TRUE(again["evaluations"]["test"].contains("miscalibration@20"));
}

TEST_F(Run, EvaluateCountsStrangersInOtherData) {
  fs::create_directory(path("other"));
  write_text(path("other/train.txt"), "u1 i3\n");
  write_text(path("other/test.txt"), "u1 i6 novelty\nstranger i3\n");
  const Finished finished = run_binary({"evaluate", path("run"), path("other"), "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out)["evaluations"]["test"]["users"], 1);
  EXPECT_TRUE(contains(finished.err, "1 user of the data unknown")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "1 interaction with items unknown")) << finished.err;
}

TEST_F(Run, EveryFormatIsExported) {
  for (const char* format : {"npy", "npz", "word2vec"}) {
    const Finished finished = run_binary(
        {"export", path("run"), "--format", format, "--out", path(std::string("out_") + format)});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    std::size_t begin = 0;
    ASSERT_FALSE(finished.out.empty());
    while (begin < finished.out.size()) {
      const std::size_t end = finished.out.find('\n', begin);
      const std::string file = finished.out.substr(begin, end - begin);
      EXPECT_TRUE(fs::exists(file) && fs::file_size(file) > 0) << file;
      begin = end + 1;
    }
  }
  expect_error(run_binary({"export", path("run"), "--format", "nyp", "--out", path("x")}), 2,
               {"'npy'"});
}

TEST_F(Run, TruncatedModelsAreRefusedAtAnyLength) {
  const std::string whole = read_text(path("run/model.safetensors"));
  fs::create_directory(path("cut"));
  for (const std::size_t size :
       {std::size_t{7}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    write_text(path("cut/model.safetensors"), whole.substr(0, size));
    expect_error(run_binary({"recommend", path("cut"), "--user", "u1"}), 3, {"model.safetensors"});
  }
}

TEST_F(Run, AnyThreadCountGivesTheSameBytes) {
  const std::string one = path("run/model.safetensors");
  for (const char* threads : {"1", "2", "5"}) {
    const std::string out = path(std::string("threads_") + threads);
    const Finished finished =
        run_binary(train_words(path("log.csv"), out, {"--threads", threads, "--quiet"}));
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(read_text(out + "/model.safetensors"), read_text(one)) << threads;
  }
}

TEST_F(Run, EveryLossTrainsAndRecommends) {
  const json list = answer({"list", "--json"});
  ASSERT_GE(list["losses"].size(), 6U);
  for (const json& loss : list["losses"]) {
    const std::string name = loss["name"];
    const Finished finished =
        run_binary(train_words(path("log.csv"), path("loss_" + name), {"--loss", name, "--quiet"}));
    EXPECT_EQ(finished.exit_code, 0) << name << ": " << finished.err;
    const json one =
        answer({"recommend", path("loss_" + name), "--user", "u3", "--k", "2", "--json"});
    EXPECT_EQ(one["items"].size(), 2U) << name;
  }
}

TEST(Market, SynthStatsSplitWorkTogether) {
  TempFolder folder;
  const Finished synth = run_binary({"synth", "--out", folder / "market", "--users", "200",
                                     "--items", "100", "--interactions", "900", "--seed", "2"});
  ASSERT_EQ(synth.exit_code, 0) << synth.err;
  EXPECT_TRUE(contains(synth.out, "test_unbiased")) << synth.out;
  const Finished stats = run_binary({"stats", folder / "market", "--json"});
  ASSERT_EQ(stats.exit_code, 0) << stats.err;
  const json numbers = json::parse(stats.out);
  EXPECT_LE(numbers["users"], 200);
  EXPECT_GT(numbers["users"], 100);
  EXPECT_TRUE(numbers.contains("read"));

  write_text(folder / "log.csv", tiny_log(60, 36, 15));
  const Finished split = run_binary({"split", folder / "log.csv", "--protocol", "balanced",
                                     "--k-core", "2", "--seed", "1", "--out", folder / "parts"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  EXPECT_TRUE(contains(split.out, "test_ood")) << split.out;
  EXPECT_TRUE(contains(split.err, "MB/s")) << split.err;
  EXPECT_TRUE(fs::exists(folder / "parts/train.txt"));
  const Finished text = run_binary({"stats", folder / "parts"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "D_KL grouped")) << text.out;
  EXPECT_TRUE(contains(text.out, "test_id")) << text.out;
  expect_error(
      run_binary({"split", folder / "log.csv", "--protocol", "balance", "--out", folder / "x"}), 2,
      {"'balanced'"});
}

}  // namespace
}  // namespace evenkeel::testing
