// In: data with validation and tests. Out: a model that trained on what it should, for the epochs
// that validation chose.
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/load.h"
#include "data/scratch.h"
#include "train/run.h"
#include "train/run_folder.h"
#include "train/selection.h"
#include "train/small_world.h"

namespace evenkeel::testing {
namespace {

Settings quick_settings(bool refit) {
  Settings settings = train::run_settings();
  for (const auto& [name, text] : std::vector<std::pair<const char*, const char*>>{
           {"dim", "8"}, {"epochs", "6"}, {"batch", "128"}, {"negatives", "8"}, {"lr", "0.02"}}) {
    settings.set(name, std::string_view(text));
  }
  settings.set("refit", Value(refit));
  return settings;
}

// All numbers of a table, for comparing bits.
std::vector<float> numbers(const Matrix& table) {
  std::vector<float> all;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    all.insert(all.end(), table.values(r).begin(), table.values(r).end());
  }
  return all;
}

class StopAt final : public train::Observer {
 public:
  StopAt(std::atomic<bool>& stop, int epochs) : stop_(stop), left_(epochs) {}
  bool on_epoch(const train::EpochProgress& news) override {
    if (news.phase == "train" && --left_ == 0) stop_ = true;
    return false;
  }

 private:
  std::atomic<bool>& stop_;
  int left_;
};

TEST(Refit, TrainsOnTrainAndValidationForTheChosenEpochs) {
  const data::Dataset data = small_world(120, 48);
  train::Observer silent;
  const train::FinishedRun chosen =
      train::fit_model({}, data, quick_settings(false), silent, kGoOn);
  const train::FinishedRun refit = train::fit_model({}, data, quick_settings(true), silent, kGoOn);
  const int epochs = chosen.result["best_epoch"];
  EXPECT_EQ(refit.result["refit"]["epochs"], epochs);
  EXPECT_EQ(refit.result["evaluations"]["valid"], chosen.result["evaluations"]["valid"]);
  EXPECT_EQ(refit.result["refit"]["measured_before"], nlohmann::json::array({"valid"}));
  EXPECT_EQ(refit.model.known.size(), data.interactions() + data.valid.interactions());
  ASSERT_EQ(refit.model.held.size(), 1U) << "the test never trains";

  Settings whole = quick_settings(false);
  whole.set("epochs", Value(std::int64_t{epochs}));
  whole.set("validation", Value(0.0));
  whole.set("eval-every", chosen.result["config"]["eval-every"].get<std::int64_t>());
  const train::FinishedRun direct =
      train::fit_model({}, data::merge_into_train(data, false), whole, silent, kGoOn);
  EXPECT_TRUE(numbers(direct.model.users) == numbers(refit.model.users));
  EXPECT_TRUE(numbers(direct.model.items) == numbers(refit.model.items));
  EXPECT_EQ(direct.result["evaluations"]["test"], refit.result["evaluations"]["test"]);
}

TEST(Refit, StoppedAnywhereItEndsTheSame) {
  const data::Dataset data = small_world(120, 48);
  const Scratch scratch;
  train::Observer silent;
  const train::FinishedRun whole = train::fit_model({}, data, quick_settings(true), silent, kGoOn);
  const int first = whole.result["epochs"], second = whole.result["best_epoch"];
  for (const int epochs : {1, first - 1, first + 1, first + second - 1}) {
    train::RunRequest request;
    request.out = scratch.path("run" + std::to_string(epochs));
    std::atomic<bool> stop{false};
    StopAt observer(stop, epochs);
    EXPECT_THROW(train::fit_model(request, data, quick_settings(true), observer, stop), Error)
        << epochs;
    request.resume = true;
    const train::FinishedRun resumed =
        train::fit_model(request, data, quick_settings(true), silent, kGoOn);
    EXPECT_TRUE(numbers(resumed.model.users) == numbers(whole.model.users)) << epochs;
    EXPECT_EQ(resumed.result["evaluations"], whole.result["evaluations"]) << epochs;
  }
}

TEST(Refit, NeedsSomethingToChooseBy) {
  train::Observer silent;
  Settings settings = quick_settings(true);
  settings.set("validation", Value(0.0));
  const data::Dataset data = data::merge_into_train(small_world(60, 24), false);
  EXPECT_THROW(train::fit_model({}, data, settings, silent, kGoOn), Error);
  settings = quick_settings(true);
  settings.set("split", std::string_view("none"));
  EXPECT_THROW(train::fit_model({}, data, settings, silent, kGoOn), Error);
}

TEST(Refit, ADamagedSelectionIsADataError) {
  const Scratch scratch;
  const data::Dataset data = small_world(60, 24);
  train::Selection selection;
  selection.best_epoch = 3;
  selection.figures = {{"evaluations", nlohmann::json::object()},
                       {"groups", nlohmann::json::object()},
                       {"dial", nullptr}};
  selection.chosen = nlohmann::json::object();
  const Settings settings = quick_settings(true);
  train::save_selection(selection, settings, data, scratch.path("s"));
  EXPECT_EQ(train::load_selection(settings, data, scratch.path("s")).best_epoch, 3);
  const std::string good = [&] {
    std::ifstream file(scratch.path("s"));
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"best_epoch\": 3", "\"best_epoch\": 0"},
           {"\"best_epoch\": 3", "\"best_epoch\": \"3\""},
           {"\"events\": []", "\"events\": 1"},
           {"\"figures\"", "\"fig\""},
           {"{", "["}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from;
    bad.replace(bad.find(from), from.size(), to);
    scratch.write("bad", bad);
    try {
      train::load_selection(settings, data, scratch.path("bad"));
      ADD_FAILURE() << to;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
    }
  }
}

}  // namespace
}  // namespace evenkeel::testing
