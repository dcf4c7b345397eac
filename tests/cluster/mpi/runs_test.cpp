// Whole trainings on every rank of a launch against the same in one process: the same bits, and
// checkpoints that either goes on from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "cluster/mpi/ranks.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"
#include "train/trainer.h"

namespace evenkeel::testing {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

const std::atomic<bool> kGoOn{false};

Settings settings_with(const Options& options) {
  Settings settings = train::run_settings();
  for (const auto& [name, text] : Options{{"dim", "16"},
                                          {"epochs", "3"},
                                          {"batch", "512"},
                                          {"negatives", "16"},
                                          {"lr", "0.02"},
                                          {"threads", "1"},
                                          {"eval-every", "1"}}) {
    settings.set(name, std::string_view(text));
  }
  for (const auto& [name, text] : options) {
    if (text == "on") {
      settings.set(name, Value(true));
    } else {
      settings.set(name, std::string_view(text));
    }
  }
  return settings;
}

// 1,600 users make four blocks of 512: up to four ranks own some. A few have nothing to train on,
// and get the mean vector of the others.
data::Dataset world() {
  data::Dataset all = small_world(1600, 240);
  data::PairList train;
  for (std::size_t u = 0; u < all.user_count(); ++u) {
    if (u % 97 == 5) continue;
    for (std::uint64_t at = all.items_of.offsets[u]; at < all.items_of.offsets[u + 1]; ++at) {
      train.add(u, all.items_of, at);
    }
  }
  data::Csr rows = data::make_csr(train, all.user_count());
  return data::dataset_of_rows("world", all.users, all.items, std::move(rows), all.valid.items_of,
                               all.tests);
}

train::FinishedRun run(const Options& options, cluster::Cluster& on, const std::string& out = "",
                       bool resume = false) {
  train::RunRequest request;
  request.out = out;
  request.resume = resume;
  request.ranks = &on;
  train::Observer silent;
  return train::fit_model(request, world(), settings_with(options), silent, kGoOn);
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.dim() == b.dim() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

Matrix all_users(const Matrix& users) {
  if (users.holds_all()) return users;
  return cluster::whole_table(*ranks, users, cluster::row_cuts(*ranks, users));
}

void expect_same(const train::FinishedRun& many, const train::FinishedRun& one) {
  EXPECT_TRUE(same_bits(all_users(many.model.users), one.model.users))
      << "users, rank " << ranks->rank();
  EXPECT_TRUE(same_bits(many.model.items, one.model.items)) << "items, rank " << ranks->rank();
  for (const char* name : {"evaluations", "groups", "best_epoch", "epochs", "chosen"}) {
    EXPECT_EQ(many.result.value(name, nlohmann::json()), one.result.value(name, nlohmann::json()))
        << name;
  }
}

// One block of users, which no two ranks can have between them.
TEST(FewUsers, AreOnEveryRank) {
  const auto few = [](cluster::Cluster& on) {
    train::RunRequest request;
    request.ranks = &on;
    train::Observer silent;
    return train::fit_model(request, small_world(300, 120), settings_with({{"loss", "bc"}}), silent,
                            kGoOn);
  };
  const train::FinishedRun one = few(cluster::alone());
  expect_same(few(*ranks), one);
}

struct Method {
  std::string name;
  Options options;
};

class OnRanks : public ::testing::TestWithParam<Method> {};

TEST_P(OnRanks, MakeTheModelOfOneProcess) {
  const train::FinishedRun one = run(GetParam().options, cluster::alone());
  expect_same(run(GetParam().options, *ranks), one);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, OnRanks,
    ::testing::Values(
        Method{"MfBcOwn", {{"loss", "bc"}}},
        Method{"MfBcOwnTwoThreads", {{"loss", "bc"}, {"threads", "2"}}},
        Method{"MfBcShared", {{"loss", "bc"}, {"shared-negatives", "on"}}},
        Method{"MfBcSharedTwoThreads",
               {{"loss", "bc"}, {"shared-negatives", "on"}, {"threads", "2"}}},
        Method{"MfBpr", {{"loss", "bpr"}, {"negatives", "1"}}},
        Method{"MfDotShared", {{"loss", "bpr"}, {"score", "dot"}, {"shared-negatives", "on"}}},
        Method{"MfSoftmaxInBatch", {{"loss", "softmax"}, {"negatives", "in-batch"}}},
        Method{"MfSoftmaxAll", {{"loss", "softmax"}, {"negatives", "all"}}},
        Method{"MfCcl", {{"loss", "ccl"}}}, Method{"MfSlAtK", {{"loss", "sl-at-k"}}},
        Method{"MfBalanced", {{"loss", "softmax"}, {"goal", "balanced"}}},
        Method{"MfBprBalanced",  // no temperature but a fitted one
               {{"loss", "bpr"}, {"goal", "balanced"}, {"debias", "0.3"}}},
        Method{"MfAverage", {{"loss", "bc"}, {"average", "2"}}},
        // Items of other ranks are needed between steps, too.
        Method{"MfSlAtKShared", {{"loss", "sl-at-k"}, {"shared-negatives", "on"}}},
        Method{"MfAverageShared", {{"loss", "bc"}, {"average", "2"}, {"shared-negatives", "on"}}},
        Method{"MfBalancedShared",
               {{"loss", "bpr"}, {"goal", "balanced"}, {"shared-negatives", "on"}}},
        Method{"MfRefitShared", {{"loss", "bc"}, {"refit", "on"}, {"shared-negatives", "on"}}},
        Method{"MfRefit", {{"loss", "bc"}, {"refit", "on"}}},
        Method{"LightGcnBcInBatch",
               {{"encoder", "lightgcn"}, {"loss", "bc"}, {"negatives", "in-batch"}}},
        Method{"LightGcnOwn", {{"encoder", "lightgcn"}, {"layers", "3"}}},
        Method{"LightGcnHalfWidth",
               {{"encoder", "lightgcn"}, {"layers", "3"}, {"half-width", "on"}}}),
    [](const auto& info) { return info.param.name; });

void train_one_epoch(train::Trainer& trainer) {
  train::Observer silent;
  trainer.prepare(silent, kGoOn);
  trainer.run_epoch(silent, kGoOn);
}

// Each rank keeps a share of it until the training ends; then every rank has the items.
TEST(BestEpoch, IsHeldInShares) {
  const data::Dataset data = world();
  for (const Options& method : {Options{{"encoder", "mf"}, {"loss", "bc"}},
                                Options{{"loss", "bc"}, {"shared-negatives", "on"}},
                                Options{{"encoder", "lightgcn"}, {"loss", "bc"}}}) {
    Settings settings = settings_with(method);
    train::resolve_defaults(settings);
    Threads threads(1);
    train::Observer silent;
    train::Trainer trainer(data, settings, threads, *ranks);
    train_one_epoch(trainer);
    for (const Side side : {Side::kUser, Side::kItem}) {
      std::uint64_t held = trainer.best(side).held().size();
      ranks->sum({&held, 1});
      EXPECT_EQ(held, trainer.best(side).rows()) << method[0].second;
    }
    EXPECT_TRUE(trainer.result(silent).items.holds_all()) << method[0].second;
  }
}

// With shared negatives a rank has moments of its own items and moves no others; with negatives of
// their own it moves all.
TEST(Items, AreMovedByTheirOwners) {
  const data::Dataset data = world();
  for (const bool shared : {true, false}) {
    Options options{{"loss", "bc"}};
    if (shared) options.emplace_back("shared-negatives", "on");
    Settings settings = settings_with(options);
    train::resolve_defaults(settings);
    Threads threads(1);
    train::Trainer trainer(data, settings, threads, *ranks);
    train_one_epoch(trainer);
    const optim::OptimizerState state = trainer.optimizer(Side::kItem).state();
    const std::vector<std::uint32_t>& last = *state.counters.front().second;
    std::uint64_t moved = static_cast<std::uint64_t>(
        std::count_if(last.begin(), last.end(), [](std::uint32_t step) { return step > 0; }));
    std::uint64_t held = state.matrices.front().second->held().size();
    ranks->sum({&moved, 1});
    ranks->sum({&held, 1});
    const std::uint64_t copies = shared ? 1 : static_cast<std::uint64_t>(ranks->size());
    EXPECT_EQ(held, copies * last.size());
    EXPECT_EQ(moved, copies * last.size()) << "every item is drawn";
  }
}

// A folder that all ranks see.
class RankFolder {
 public:
  RankFolder() {
    std::string name = ::testing::TempDir() + "evenkeel_ranks_XXXXXX";
    cluster::on_first_rank(*ranks, [&] {
      if (mkdtemp(name.data()) == nullptr) fail_run("mkdtemp");
    });
    path_ = cluster::text_of_first(*ranks, name);
  }
  ~RankFolder() {
    ranks->barrier();
    std::error_code ignored;
    if (ranks->first()) std::filesystem::remove_all(path_, ignored);
  }
  RankFolder(const RankFolder&) = delete;
  RankFolder& operator=(const RankFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

TEST(Checkpoints, GoOnWithAnotherNumberOfRanks) {
  const RankFolder folder;
  for (const Options& method :
       {Options{{"loss", "bc"}}, Options{{"loss", "softmax"}, {"shared-negatives", "on"}},
        Options{{"encoder", "lightgcn"}, {"loss", "bc"}, {"negatives", "in-batch"}}}) {
    const auto until = [&](const char* epochs) {
      Options options = method;
      options.emplace_back("epochs", epochs);
      options.emplace_back("checkpoint-seconds", "0");  // after every epoch: training goes on then
      return options;
    };
    const std::string out = folder / method[0].second;
    const train::FinishedRun whole = run(until("4"), cluster::alone());
    run(until("2"), *ranks, out);                                                           // many,
    cluster::on_first_rank(*ranks, [&] { run(until("3"), cluster::alone(), out, true); });  // one,
    expect_same(run(until("4"), *ranks, out, true), whole);  // and many again
  }
}

}  // namespace
}  // namespace evenkeel::testing

int main(int argc, char** argv) {
  return evenkeel::testing::run_on_ranks(argc, argv);
}
