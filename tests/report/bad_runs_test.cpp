// In: one run folder that no program would have written, beside a good one. Out: a report of the
// good one that says what is wrong with the other.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "model/model.h"
#include "report/page.h"
#include "report/report.h"
#include "report/svg_figures.h"
#include "report/trained_runs.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class BadRuns : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    write_hostile_data(*scratch_, "data");
    train_small(scratch_->path("data"), scratch_->path("bc"), {{"loss", "bc"}});
    train_small(scratch_->path("data"), scratch_->path("bpr"), {{"loss", "bpr"}});
  }
  static void TearDownTestSuite() { delete scratch_; }
  static std::string good() { return scratch_->path("bpr"); }
  // A copy that a test may damage.
  static std::string copy_of_bc(const std::string& to) {
    fs::create_directories(fs::path(scratch_->path(to)).parent_path());
    fs::copy(scratch_->path("bc"), scratch_->path(to), fs::copy_options::recursive);
    return scratch_->path(to);
  }
  static Scratch* scratch_;
};

Scratch* BadRuns::scratch_ = nullptr;

// A run that no program would have written, beside a good one: the report is made all the same.
void expect_only_this_is_bad(const std::string& bad, const std::string& good) {
  const json report = report_of({bad, good});
  ASSERT_EQ(report["runs"].size(), 2U) << bad;
  EXPECT_NE(report["runs"][0]["state"], "ok") << bad;
  EXPECT_FALSE(report["runs"][0]["problem"].get<std::string>().empty()) << bad;
  EXPECT_EQ(report["runs"][1]["state"], "ok") << bad;
  EXPECT_TRUE(report["runs"][1]["geometry"].is_object()) << bad;
  EXPECT_NE(report["notices"].dump().find("1 of 2 runs is not whole"), std::string::npos) << bad;
  EXPECT_FALSE(report::make_page(report).empty());
  EXPECT_FALSE(report::make_figures(report).empty());
}

TEST_F(BadRuns, APipeInARunFolderIsNotWaitedFor) {
  for (const std::string name :
       {"result.json", "config.toml", "events.jsonl", "model.safetensors"}) {
    const std::string run = copy_of_bc("pipes/" + name);
    fs::remove(run + "/" + name);
    ASSERT_EQ(::mkfifo((run + "/" + name).c_str(), 0600), 0);
    expect_only_this_is_bad(run, good());
  }
}

TEST_F(BadRuns, DeepRecordsAreRefused) {
  const auto deep = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  const std::string run = copy_of_bc("deep");
  for (const std::size_t levels : {100U, 300'000U}) {
    std::ofstream(run + "/result.json") << R"({"best_epoch":)" << deep(levels) << "}";
    expect_only_this_is_bad(run, good());
    std::ofstream(run + "/result.json") << R"({"config":{"dim":)" << deep(levels) << "}}";
    expect_only_this_is_bad(run, good());
  }
  fs::copy_file(scratch_->path("bc/result.json"), run + "/result.json",
                fs::copy_options::overwrite_existing);
  std::ofstream(run + "/events.jsonl", std::ios::app)
      << R"({"epoch":4,"loss":)" << deep(300'000) << "}\n";
  EXPECT_EQ(report_of({run})["runs"][0]["training"].size(), 3U) << "the line is passed over";
  std::ofstream(run + "/config.toml", std::ios::app) << "x = " << deep(50'000) << "\n";
  expect_only_this_is_bad(run, good());
}

TEST_F(BadRuns, AModelThatContradictsItselfIsOneBadRun) {
  const auto damaged = [&](const std::string& name,
                           const std::function<void(model::Model&)>& change) {
    const std::string run = copy_of_bc("contradicts/" + name);
    model::Model model = model::load_model(run + "/model.safetensors");
    change(model);
    model::save_model(model, run + "/model.safetensors");
    return run;
  };
  expect_only_this_is_bad(damaged("nothing-known",
                                  [](model::Model& model) {
                                    model.known.offsets.assign(model.users.rows() + 1, 0);
                                    model.known.columns.clear();
                                  }),
                          good());
  // Its popularity classes are not those of its data: no table may be looked up with them.
  const std::string popular = damaged("popular", [](model::Model& model) {
    for (std::uint32_t& count : model.user_popularity) count = 7;
    model.extra_tables["extractor_users"] = Matrix(1, 4);
  });
  const json report = report_of({popular, good()});
  EXPECT_TRUE(report["runs"][0]["margins"].is_null());
  EXPECT_TRUE(report["runs"][1]["geometry"].is_object());
}

TEST_F(BadRuns, AnEditedConfigurationIsOneBadRun) {
  const std::string run = copy_of_bc("edited");
  std::ofstream(run + "/config.toml") << "loss = [\n";
  for (const char* config :
       {R"({"loss": 3})", R"({"loss": true, "seed": "x", "dim": "y"})", "{}"}) {
    std::ofstream(run + "/result.json") << R"({"config":)" << config << "}";
    expect_only_this_is_bad(run, good());
  }
}

}  // namespace
}  // namespace evenkeel::testing
