// Every method with both encoders, and every way to draw negatives: each learns more than
// popularity on a small world, and ends in the same bits at 1, 2 and 5 threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.h"
#include "encoder/mf.h"
#include "loss/cause.h"
#include "loss/margin.h"
#include "optim/registry.h"
#include "sampler/registry.h"
#include "step/own_negatives_step.h"
#include "step/pool_step.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

using testing::kGoOn;
using testing::small_world;

using Options = std::vector<std::pair<std::string, std::string>>;

Settings settings_of(const Options& options) {
  Settings settings = run_settings();
  for (const auto& [name, value] : Options{{"dim", "16"},
                                           {"batch", "128"},
                                           {"lr", "0.01"},
                                           {"epochs", "12"},
                                           {"l2", "1e-4"},
                                           {"eval-every", "1"}}) {
    settings.set(name, std::string_view(value));
  }
  for (const auto& [name, value] : options) settings.set(name, std::string_view(value));
  resolve_defaults(settings);
  return settings;
}

struct Learned {
  std::string users, items;
  double recall = 0;
};

Learned learn(const data::Dataset& data, const Settings& settings, int workers) {
  Threads threads(workers);
  Observer silent;
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  while (!trainer.done()) trainer.run_epoch(silent, kGoOn);
  const TrainedVectors result = trainer.result(silent);
  const auto bytes = [](const Matrix& matrix) {
    return std::string(reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float));
  };
  eval::Evaluator evaluator(data, data.valid);
  return {bytes(result.users), bytes(result.items),
          evaluator.quick({result.users, result.items, result.score}, 10, threads).recall};
}

double popular_recall(const data::Dataset& data) {
  Threads threads(1);
  Matrix users(data.user_count(), 1), items(data.item_count(), 1);
  for (std::size_t u = 0; u < data.user_count(); ++u) users.row(u)[0] = 1;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    items.row(i)[0] = static_cast<float>(data.item_popularity[i]);
  }
  eval::Evaluator evaluator(data, data.valid);
  return evaluator.quick({users, items, model::Score::kDot}, 10, threads).recall;
}

// Hands on to a loss, with or without its way by the sum, and counts what is asked.
class Spy final : public loss::Loss, public loss::PartitionLoss {
 public:
  Spy(const loss::Loss& loss, bool by_sum) : loss_(loss), by_sum_(by_sum) {}
  loss::Similarity similarity() const override { return loss_.similarity(); }
  float compute(loss::Sample& sample) const override {
    ++computed;
    return loss_.compute(sample);
  }
  const loss::PartitionLoss* partition_loss() const override {
    return by_sum_ && loss_.partition_loss() != nullptr ? this : nullptr;
  }
  float tau() const override { return loss_.partition_loss()->tau(); }
  float compute_from_sum(loss::Sample& sample, float rest) const override {
    ++computed_by_sum;
    return loss_.partition_loss()->compute_from_sum(sample, rest);
  }
  mutable std::atomic<std::size_t> computed{0}, computed_by_sum{0};

 private:
  const loss::Loss& loss_;
  bool by_sum_;
};

struct Tables {
  Matrix users, items;
  double loss = 0;
};

// The tables after some steps with negatives of their own.
Tables own_steps(const data::Dataset& data, const Settings& settings, const loss::Loss& loss) {
  constexpr std::uint64_t kSeed = 5;
  constexpr std::size_t kBatch = 128, kSteps = 3;
  Threads threads(2);
  encoder::Mf encoder(data.user_count(), data.item_count(), 16, kSeed);
  const auto users = optim::find_optimizer("adam").make(encoder.table(Side::kUser), settings);
  const auto items = optim::find_optimizer("adam").make(encoder.table(Side::kItem), settings);
  step::OwnNegativesStep step({encoder, *users, *items, threads}, loss,
                              sampler::RandomNegatives(data.items_of, data.item_count(), kSeed),
                              kBatch, 24, 1e-4);
  step.begin_epoch(1);
  const auto positives =
      sampler::find_sampler("interaction").make(data.items_of, data.item_count(), kSeed);
  EpochTotals totals;
  run_epoch(1, *positives, step, kBatch, totals, kGoOn, [&](const EpochTotals&, std::size_t) {});
  EXPECT_GE(totals.samples, kSteps * kBatch);
  users->finish(threads);
  items->finish(threads);
  return {encoder.table(Side::kUser), encoder.table(Side::kItem), totals.mean_loss()};
}

double relative_gap(const Matrix& a, const Matrix& b) {
  double gap = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = double{a.data()[k]} - double{b.data()[k]};
    gap += difference * difference;
    size += double{a.data()[k]} * double{a.data()[k]};
  }
  return std::sqrt(gap / size);
}

TEST(OwnNegatives, OnePassAndTwoPassesAgree) {
  const data::Dataset data = small_world(120, 80);
  const loss::Margins margins = loss::Margins::constant(0.2, data.user_count(), data.item_count());
  for (const std::string name : {"bc", "softmax", "sl-at-k"}) {
    const Settings settings = settings_of({{"loss", name}});
    const auto loss = loss::find_loss(name).make(
        settings, {data.user_popularity, data.item_popularity, &margins, &data.users_of, 1});
    const Spy one(*loss, true), two(*loss, false);
    const Tables once = own_steps(data, settings, one), twice = own_steps(data, settings, two);
    EXPECT_GT(one.computed_by_sum, 0U) << name;
    EXPECT_EQ(one.computed, 0U) << name;
    EXPECT_EQ(two.computed_by_sum, 0U) << name;
    EXPECT_EQ(two.computed, one.computed_by_sum) << name;
    EXPECT_NEAR(once.loss, twice.loss, 1e-5 * twice.loss) << name;
    EXPECT_LT(relative_gap(once.users, twice.users), 1e-4) << name;
    EXPECT_LT(relative_gap(once.items, twice.items), 1e-4) << name;
  }
}

// Exponentials of cosines underflow at a tiny temperature: there two passes find the maximum first.
TEST(OwnNegatives, ATinyTemperatureTakesTwoPasses) {
  const data::Dataset data = small_world(120, 80);
  const Settings settings = settings_of({{"loss", "softmax"}, {"tau", "0.02"}});
  const auto loss = loss::find_loss("softmax").make(settings, {});
  const Spy spy(*loss, true);
  own_steps(data, settings, spy);
  EXPECT_GT(spy.computed, 0U);
  EXPECT_EQ(spy.computed_by_sum, 0U);
}

struct Method {
  std::string label;
  Options options;
};

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const std::string encoder : {"mf", "lightgcn"}) {
    for (const std::string loss : {"bc", "softmax", "sl-at-k", "psl", "warp", "bpr", "bce", "ccl",
                                   "ips-cn", "cause", "sam-reg", "macr"}) {
      Options options{{"encoder", encoder}, {"loss", loss}};
      if (loss::find_loss(loss).negatives != "1") options.emplace_back("negatives", "16");
      if (loss == "ccl") options.emplace_back("ccl-weight", "16");
      all.push_back({encoder + "_" + loss, options});
    }
    for (const std::string loss : {"bc", "softmax", "sl-at-k", "psl", "ccl"}) {
      const Options base{
          {"encoder", encoder}, {"loss", loss}, {"ccl-weight", "16"}, {"tile", "24"}};
      const auto with = [&](const std::string& label, const Options& more) {
        Options options = base;
        options.insert(options.end(), more.begin(), more.end());
        all.push_back({encoder + "_" + loss + "_" + label, options});
      };
      with("in_batch", {{"negatives", "in-batch"}});
      with("all", {{"negatives", "all"}});
      with("shared", {{"negatives", "30"}, {"shared-negatives", "true"}});
    }
  }
  all.push_back(
      {"mf_warp_shared", {{"loss", "warp"}, {"negatives", "30"}, {"shared-negatives", "true"}}});
  all.push_back({"mf_sl_at_k_margin",
                 {{"loss", "sl-at-k"}, {"negatives", "16"}, {"margin-strength", "0.2"}}});
  for (const std::string surrogate : {"atan", "tanh"}) {
    all.push_back(
        {"mf_psl_" + surrogate, {{"loss", "psl"}, {"negatives", "16"}, {"surrogate", surrogate}}});
  }
  all.push_back({"mf_sam_reg_similar", {{"loss", "sam-reg"}, {"sam-share", "0.5"}}});
  all.push_back({"lightgcn_half_width",
                 {{"encoder", "lightgcn"}, {"half-width", "true"}, {"negatives", "in-batch"}}});
  all.push_back({"lightgcn_cause_plain",
                 {{"encoder", "lightgcn"}, {"loss", "cause"}, {"control-table", "plain"}}});
  for (Method& method : all) {
    std::replace(method.label.begin(), method.label.end(), '-', '_');
  }
  return all;
}

class EveryMethod : public ::testing::TestWithParam<Method> {};

TEST_P(EveryMethod, BeatsPopularityAndIsTheSameAtAnyThreadCount) {
  const data::Dataset data = small_world(160, 80);
  const Settings settings = settings_of(GetParam().options);
  const Learned one = learn(data, settings, 1);
  EXPECT_GT(one.recall, popular_recall(data) + 0.05);
  for (const int workers : {2, 5}) {
    const Learned other = learn(data, settings, workers);
    EXPECT_TRUE(one.users == other.users) << workers << " threads";
    EXPECT_TRUE(one.items == other.items) << workers << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(methods()),
                         [](const auto& info) { return info.param.label; });

std::string refusal(const Options& options) {
  try {
    train_options(settings_of(options));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConfig);
    return error.what();
  }
  return "";
}

TEST(Methods, NonsenseIsRefusedWithTheRemedy) {
  EXPECT_NE(refusal({{"negatives", "in-batch"}, {"batch", "1"}}).find("larger --batch"),
            std::string::npos);
  EXPECT_NE(refusal({{"negatives", "all"}, {"shared-negatives", "true"}}).find("--negatives 1024"),
            std::string::npos);
  EXPECT_NE(refusal({{"loss", "macr"}, {"negatives", "5"}}).find("--negatives 1"),
            std::string::npos);
  EXPECT_NE(refusal({{"loss", "macr"}, {"accumulate", "4"}}).find("larger --batch"),
            std::string::npos);
  EXPECT_NE(refusal({{"negatives", "some"}}).find("in-batch or all"), std::string::npos);
  for (const std::string negatives : {"in-batch", "all"}) {
    EXPECT_NE(refusal({{"loss", "warp"}, {"negatives", negatives}}).find("--negatives 128"),
              std::string::npos);
  }
}

TEST(Methods, SlAtKHasNoMarginUnlessAskedFor) {
  EXPECT_EQ(settings_of({{"loss", "sl-at-k"}}).number("margin-strength"), 0.0);
  EXPECT_EQ(
      settings_of({{"loss", "sl-at-k"}, {"margin-strength", "0.2"}}).number("margin-strength"),
      0.2);
  EXPECT_EQ(settings_of({{"loss", "bc"}}).number("margin-strength"), 0.1);
  const data::Dataset data = small_world(60, 40);
  Threads threads(1);
  for (const std::string loss : {"sl-at-k", "bc"}) {
    const Settings without = settings_of({{"loss", loss}, {"margin-strength", "0"}});
    EXPECT_FALSE(Trainer(data, without, threads).wants_extractor()) << loss;
    const Settings with = settings_of({{"loss", loss}, {"margin-strength", "0.1"}});
    EXPECT_TRUE(Trainer(data, with, threads).wants_extractor()) << loss;
  }
}

TEST(Methods, ASmallDataSetGetsSmallerBatchesUnlessTold) {
  Settings settings = run_settings();
  fit_to_data(settings, 1363);
  EXPECT_EQ(settings.integer("batch"), 85);
  EXPECT_EQ(settings.integer("eval-every"), 3);  // 17 steps an epoch
  Settings large = run_settings();
  fit_to_data(large, 1000000);
  EXPECT_EQ(large.integer("batch"), 2048);
  EXPECT_EQ(large.integer("eval-every"), 1);
  Settings told = run_settings();
  told.set("batch", std::string_view("512"));
  fit_to_data(told, 1363);
  EXPECT_EQ(told.integer("batch"), 512);
}

TEST(Methods, ManyLayersStayFinite) {
  const data::Dataset data = small_world(80, 40);
  const Settings settings = settings_of({{"encoder", "lightgcn"},
                                         {"layers", "10"},
                                         {"epochs", "2"},
                                         {"loss", "softmax"},
                                         {"negatives", "8"}});
  EXPECT_GT(learn(data, settings, 2).recall, 0.0);
}

TEST(Methods, MacrWithCFarOutStillRanks) {
  const data::Dataset data = small_world(80, 40);
  EXPECT_GE(
      learn(data, settings_of({{"loss", "macr"}, {"macr-c", "1e6"}, {"epochs", "2"}}), 1).recall,
      0.0);
}

// Two users whose only batch mates they own: nothing to push away, and nothing breaks.
TEST(Methods, EveryInBatchNegativeMasked) {
  data::Ids users, items;
  for (const char* id : {"a", "b"}) users.insert(id);
  for (const char* id : {"x", "y", "z"}) items.insert(id);
  const data::Dataset data =
      data::make_dataset("masked", users, items, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {}, {});
  Threads threads(1);
  Observer silent;
  const Settings settings = settings_of({{"loss", "softmax"},
                                         {"negatives", "in-batch"},
                                         {"epochs", "1"},
                                         {"batch", "4"},
                                         {"l2", "0"}});
  Trainer trainer(data, settings, threads);
  trainer.prepare(silent, kGoOn);
  const float before = trainer.encoder().table(Side::kUser).row(0)[0];
  trainer.run_epoch(silent, kGoOn);
  EXPECT_EQ(trainer.encoder().table(Side::kUser).row(0)[0], before);
}

TEST(Cause, ControlSetIsATenthAndNearlyUniformOverItems) {
  const data::Dataset data = small_world(300, 60);
  const auto control = loss::control_samples(data.users_of, 3);
  const auto total = static_cast<std::size_t>(std::count(control.begin(), control.end(), 1));
  EXPECT_EQ(total, (data.interactions() + 5) / 10);
  std::size_t most = 0;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    const auto begin = control.begin() + static_cast<std::ptrdiff_t>(data.users_of.offsets[i]);
    const auto count = static_cast<std::size_t>(
        std::count(begin, begin + static_cast<std::ptrdiff_t>(data.users_of.count(i)), 1));
    most = std::max(most, count);
    EXPECT_LT(count, std::max<std::size_t>(data.users_of.count(i), 1));
  }
  EXPECT_LE(most, 6 * total / data.item_count() + 1);
  EXPECT_EQ(control, loss::control_samples(data.users_of, 3));
  EXPECT_NE(control, loss::control_samples(data.users_of, 4));
}

// With a plain control table the penalty's gradient reaches every user through the graph and drowns
// BPR's; with one in the graph the pulls of both tables cancel but for their own rows.
TEST(Cause, ItsControlTableDoesNotHoldLightGcnBelowPopularity) {
  const data::Dataset data = small_world(600, 120);
  const auto recall = [&](const std::string& table) {
    return learn(data,
                 settings_of({{"encoder", "lightgcn"},
                              {"loss", "cause"},
                              {"control-table", table},
                              {"cf-pen", "0.05"},
                              {"batch", "512"},
                              {"lr", "0.001"}}),
                 1)
        .recall;
  };
  const double plain = recall("plain"), graph = recall("graph"), popular = popular_recall(data);
  EXPECT_GT(graph, popular + 0.05);
  EXPECT_GT(graph, 1.5 * plain);
  EXPECT_LT(plain, popular);
}

TEST(Cause, TooFewInteractionsAreADataError) {
  data::Ids users, items;
  for (const char* id : {"a", "b"}) users.insert(id);
  for (const char* id : {"x", "y", "z"}) items.insert(id);
  const data::Dataset data = data::make_dataset("tiny", users, items, {{0, 0}, {1, 1}}, {}, {});
  EXPECT_THROW(loss::control_samples(data.users_of, 1), Error);
}

}  // namespace
}  // namespace evenkeel::train
