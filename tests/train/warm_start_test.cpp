// In: a finished run and newer data. Out: a training that begins with the run's rows, ends in the
// same bits wherever it is stopped, and is never measured on what the rows know.
#include "train/warm_start.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/load.h"
#include "data/scratch.h"
#include "model/model_data.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/run_folder.h"
#include "train/small_world.h"

namespace evenkeel::testing {
namespace {

namespace fs = std::filesystem;

Settings quick(std::initializer_list<std::pair<const char*, const char*>> more = {}) {
  Settings settings = train::run_settings();
  for (const auto& [name, text] :
       std::vector<std::pair<const char*, const char*>>{{"dim", "8"},
                                                        {"epochs", "4"},
                                                        {"batch", "128"},
                                                        {"negatives", "8"},
                                                        {"lr", "0.02"},
                                                        {"loss", "softmax"},
                                                        {"patience", "100"},
                                                        {"threads", "2"},
                                                        {"checkpoint-seconds", "0"}}) {
    settings.set(name, std::string_view(text));
  }
  for (const auto& [name, text] : more) settings.set(name, std::string_view(text));
  return settings;
}

Settings resolved(Settings settings, const data::Dataset& data) {
  train::resolve_defaults(settings);
  train::fit_to_data(settings, data.interactions());
  return settings;
}

// Yesterday's data: the last users and items of `data` are not there yet.
data::Dataset without_last(const data::Dataset& data, Row users, Row items) {
  data::Ids user_ids, item_ids;
  for (Row u = 0; u < data.user_count() - users; ++u) user_ids.insert(data.users.text(u));
  for (Row i = 0; i < data.item_count() - items; ++i) item_ids.insert(data.items.text(i));
  const auto kept = [&](const data::Csr& rows) {
    std::vector<Pair> pairs;
    for (Row u = 0; u < user_ids.size(); ++u) {
      for (const Row item : rows.row(u)) {
        if (item < item_ids.size()) pairs.push_back({u, item});
      }
    }
    return pairs;
  };
  return data::make_dataset("yesterday", user_ids, item_ids, kept(data.items_of),
                            kept(data.valid.items_of), {});
}

class WarmStart : public ::testing::Test {
 protected:
  std::string trained(const std::string& name, const Settings& settings) const {
    train::RunRequest request;
    request.out = scratch_.path(name);
    train::Observer silent;
    train::fit_model(request, without_last(data_, 10, 4), settings, silent, kGoOn);
    return request.out;
  }
  train::FinishedRun go_on(const Settings& settings, const std::string& out = "",
                           bool resume = false) const {
    train::RunRequest request;
    request.out = out;
    request.resume = resume;
    train::Observer silent;
    return train::fit_model(request, data_, settings, silent, kGoOn);
  }
  const Scratch scratch_;
  const data::Dataset data_ = small_world(120, 48);
};

class WarmStartOf : public WarmStart, public ::testing::WithParamInterface<const char*> {};

TEST_P(WarmStartOf, BeginsWithTheRowsOfKnownIds) {
  const Settings settings = resolved(quick({{"encoder", GetParam()}}), data_);
  const std::string run = trained("run", settings);
  const model::Model rows = train::starting_rows(run, settings);
  Threads threads(2);
  train::Trainer trainer(data_, settings, threads);
  const Matrix random = trainer.encoder().table(Side::kUser);
  train::start_from_rows(rows, data_, trainer, threads);
  const Matrix& users = trainer.encoder().table(Side::kUser);
  for (Row u = 0; u < data_.user_count(); ++u) {
    const auto before = rows.user_ids.find(data_.users.text(u));
    const auto now = users.values(u);
    if (before) {
      EXPECT_TRUE(std::equal(now.begin(), now.end(), rows.users.row(*before))) << u;
    } else {  // folded in where vectors are tables
      const bool kept = std::equal(now.begin(), now.end(), random.row(u));
      EXPECT_EQ(kept, std::string(GetParam()) == "lightgcn") << u;
    }
  }
}

TEST_P(WarmStartOf, StoppedAnywhereItEndsTheSameWithoutTheOtherRun) {
  const Settings first = quick({{"encoder", GetParam()}});
  const std::string run = trained("run", first);
  const std::string elsewhere = scratch_.path("gone");
  for (const bool refit : {false, true}) {
    Settings settings = first;
    settings.set("from", std::string_view(run));
    settings.set("refit", Value(refit));
    const train::FinishedRun whole = go_on(settings);
    EXPECT_EQ(whole.result["from"]["users"], 110);
    EXPECT_EQ(whole.result["from"]["new_users"], 10);
    EXPECT_EQ(whole.result["from"]["new_items"], 4);
    EXPECT_EQ(whole.result["config"]["from"], fs::absolute(run).string());
    const int epochs = whole.result["epochs"];
    for (const int stop_after : {1, epochs + 1}) {
      // The second half of a refit of one epoch ends before it can be stopped.
      if (stop_after > epochs && (!refit || whole.result["best_epoch"] < 2)) continue;
      std::atomic<bool> stop{false};
      struct StopAt final : train::Observer {
        std::atomic<bool>& stop;
        int left;
        StopAt(std::atomic<bool>& flag, int count) : stop(flag), left(count) {}
        bool on_epoch(const train::EpochProgress& news) override {
          if (news.phase == "train" && --left == 0) stop = true;
          return false;
        }
      } observer(stop, stop_after);
      train::RunRequest request;
      request.out = scratch_.path("next" + std::to_string(stop_after) + (refit ? "r" : ""));
      EXPECT_THROW(train::fit_model(request, data_, settings, observer, stop), Error);
      fs::rename(run, elsewhere);
      const train::FinishedRun resumed = go_on(settings, request.out, true);
      fs::rename(elsewhere, run);
      EXPECT_TRUE(same(resumed.model.users, whole.model.users)) << stop_after << refit;
      EXPECT_TRUE(same(resumed.model.items, whole.model.items)) << stop_after << refit;
      EXPECT_EQ(resumed.result["from"], whole.result["from"]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Encoders, WarmStartOf, ::testing::Values("mf", "lightgcn"));

TEST_F(WarmStart, ThreadCountChangesNothing) {
  const std::string run = trained("run", quick());
  const train::FinishedRun one = go_on(quick({{"from", run.c_str()}, {"threads", "1"}}));
  const train::FinishedRun three = go_on(quick({{"from", run.c_str()}, {"threads", "3"}}));
  EXPECT_TRUE(same(one.model.users, three.model.users));
  EXPECT_TRUE(same(one.model.items, three.model.items));
  EXPECT_FALSE(same(one.model.items, go_on(quick()).model.items));
}

TEST_F(WarmStart, ARunThatDoesNotFitIsRefusedAndNothingIsWritten) {
  const std::string run = trained("run", quick());
  const auto refused = [&](std::initializer_list<std::pair<const char*, const char*>> more) {
    Settings settings = quick(more);
    if (!settings.is_set("from")) settings.set("from", std::string_view(run));
    const std::string out = scratch_.path("out");
    const std::string text = failure_of(ErrorKind::kConfig, [&] { go_on(settings, out); });
    EXPECT_FALSE(fs::exists(out));
    return text;
  };
  expect_holds(refused({{"dim", "16"}}), {"--dim is 16", "have 8 numbers", "give --dim 8"});
  expect_holds(refused({{"encoder", "lightgcn"}}), {"--encoder is lightgcn", "give --encoder mf"});
  expect_holds(refused({{"loss", "bpr"}}), {"--score is dot", "compares by cosine"});
  expect_holds(refused({{"loss", "macr"}}), {"loss macr", "leave --from out"});
  expect_holds(refused({{"from", "/nowhere/at/all"}}), {"/nowhere/at/all", "finished run"});
}

TEST_F(WarmStart, LightGcnNeedsTheCheckpointThatHoldsItsRows) {
  const Settings settings = resolved(quick({{"encoder", "lightgcn"}}), data_);
  const std::string run = trained("run", settings);
  fs::remove(train::run_file(run, train::run_files::kCheckpoint));
  expect_holds(failure_of(ErrorKind::kConfig, [&] { train::starting_rows(run, settings); }),
               {run, "lightgcn", "checkpoint.safetensors"});
}

TEST_F(WarmStart, PairsThatTrainedTheRowsAreNotHeldOut) {
  const std::string run = trained("run", quick());
  const model::Model rows = train::starting_rows(run, resolved(quick(), data_));
  train::Observer silent;
  // The whole log, cut anew with another seed: some of what is held out trained yesterday.
  const data::Dataset log = data::merge_into_train(data_, false);
  const data::Dataset cut = data::hold_out_validation(log, 0.3, 99);
  const data::Dataset kept = train::keep_known_in_training(cut, rows, {.valid = true}, run, silent);
  EXPECT_EQ(kept.interactions() + kept.valid.interactions(), log.interactions());
  EXPECT_GT(kept.valid.interactions(), 0U);
  EXPECT_LT(kept.valid.interactions(), cut.valid.interactions());
  for (Row u = 0; u < kept.user_count(); ++u) {
    const auto user = rows.user_ids.find(kept.users.text(u));
    for (const Row i : kept.valid.items_of.row(u)) {
      const auto item = rows.item_ids.find(kept.items.text(i));
      EXPECT_FALSE(user && item && rows.known.contains(*user, *item));
    }
  }
  // A part that the user made stays as it is or is refused.
  expect_holds(failure_of(ErrorKind::kData,
                          [&] { train::keep_known_in_training(cut, rows, {}, run, silent); }),
               {"part valid", "leave --from out"});
}

}  // namespace
}  // namespace evenkeel::testing
