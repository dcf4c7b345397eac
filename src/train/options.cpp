// In: nothing, then settings. Out: fields, then TrainOptions.
#include "train/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/registry.h"
#include "data/options.h"
#include "encoder/registry.h"
#include "optim/registry.h"
#include "rank/correction.h"
#include "sampler/registry.h"
#include "train/extractor.h"
#include "train/run.h"

namespace evenkeel::train {
namespace {

void parse_negatives(const Settings& settings, TrainOptions& options) {
  const std::string& text = settings.text("negatives");
  options.tile = static_cast<std::size_t>(settings.integer("tile"));
  const bool shared = settings.flag("shared-negatives");
  if (text == "in-batch" || text == "all") {
    options.negatives_kind =
        text == "all" ? step::NegativesKind::kAll : step::NegativesKind::kInBatch;
    if (shared) {
      fail_config(
          "--shared-negatives needs a number of negatives, not --negatives {}: give one, "
          "as in --negatives 1024, or leave --shared-negatives out",
          text);
    }
    if (text == "in-batch" && options.batch < 2) {
      fail_config(
          "--negatives in-batch with --batch {} leaves nothing to compare with; give a "
          "larger --batch",
          options.batch);
    }
    return;
  }
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), options.negatives);
  if (failure != std::errc() || end != text.data() + text.size() || options.negatives < 1 ||
      options.negatives > 1000000) {
    fail_config("--negatives is '{}'; give a whole number from 1 to 1000000, in-batch or all",
                text);
  }
  options.negatives_kind = shared ? step::NegativesKind::kShared : step::NegativesKind::kOwn;
}

}  // namespace

std::span<const Field> train_fields() {
  static const std::vector<Field> fields{
      unseen_by_extractor({"encoder", std::string("mf"), "how users and items become vectors", 0, 0,
                           entry_names(encoder::encoders())}),
      unseen_by_extractor({"from",
                           std::string(),
                           "run to start from: its rows by id, new ids folded in",
                           0,
                           0,
                           {},
                           std::string()}),
      {"loss", std::string("bc"),
       "what training minimises (unless it or an option of margins is given, softmax for "
       "--goal logged)",
       0, 0, entry_names(loss::losses())},
      {"optimizer", std::string("adam"), "how gradients move the tables", 0, 0,
       entry_names(optim::optimizers())},
      {"dim", std::int64_t{64}, "length of the vectors", 1, 4096},
      {"negatives", std::string("auto"),
       "negatives for each positive: a number, in-batch or all (auto: shared ones, 512 for --goal "
       "logged and 1024 for the others, where the loss takes many; else the loss's default)"},
      {"shared-negatives", false, "a tile of samples shares one draw of negatives: much faster"},
      {"tile", std::int64_t{64}, "samples in a tile of shared negatives", 1, 65536},
      {"samples", std::string("interaction"), "what an epoch goes through", 0, 0,
       entry_names(sampler::samplers())},
      unseen_by_extractor({"score",
                           std::string("auto"),
                           "ranking score (auto: the loss's own similarity)",
                           0,
                           0,
                           {"auto", "cosine", "dot"}}),
      {"batch", std::int64_t{2048},
       "positives in a step (unless given, fewer where an epoch would have under 16 steps)", 1,
       1 << 20},
      unseen_by_extractor(
          {"accumulate",
           std::int64_t{1},
           "batches of a step, each with its own in-batch negatives: LightGCN propagates once for "
           "all of them",
           1,
           65536,
           {},
           std::int64_t{1}}),
      {"l2", 1e-5, "L2 coefficient on the rows of a batch", 0.0, 100.0},
      data::validation_field(),
      {"refit", false,
       "choose the epoch on validation, then train on everything for as many epochs"},
      with_effect({"epochs", std::int64_t{300}, "the most epochs", 1, 1000000}, Effect::kStopping),
      unseen_by_extractor({"lr-decay",
                           1.0,
                           "factor on the learning rate whenever half of --patience validations "
                           "brought no gain (1: constant)",
                           0.01,
                           1.0,
                           {},
                           1.0}),
      unseen_by_extractor({"average",
                           std::int64_t{1},
                           "validations over which the vectors that rank are averaged (1: those of "
                           "the epoch itself)",
                           1,
                           1000,
                           {},
                           std::int64_t{1}}),
      unseen_by_extractor(
          {"eval-every", std::int64_t{0},
           "epochs between two validations (0: as many as make 50 steps, at least 1)", 0, 1000000}),
      unseen_by_extractor({"validation-users",
                           std::string("auto"),
                           "users that a validation during training ranks: a number, all, or auto "
                           "(all, but at least "
                           "10000 of them where ranking all costs more than a tenth of the "
                           "training in between)",
                           0,
                           0,
                           {},
                           std::string("all")}),
      unseen_by_extractor(eval::evaluation_users_field()),
      data::candidates_field(),
      unseen_by_extractor({"goal", std::string("logged"),
                           "what the best epoch and the correction are chosen by, on validation: "
                           "more of what the log "
                           "shows, items wanted alike, or both",
                           0, 0, eval::goal_names(), std::string("logged")}),
      unseen_by_extractor(
          {"debias",
           std::string("auto"),
           "strength of the popularity correction in rankings: a number, 0 as logged, 1 the log's "
           "popularity taken out; auto: the goal's choice on validation (with --goal logged: 0 "
           "unless "
           "auto is asked for)",
           0,
           0,
           {},
           std::string("0")}),
      with_effect(
          {"patience", std::int64_t{10},
           "validations without gain before training stops (unless given, 5 where a loss has a "
           "temperature and --goal is logged)",
           1, 1000000},
          Effect::kStopping),
      with_effect({"name",
                   std::string(),
                   "what reports and fronts call the run, instead of its loss and options",
                   0,
                   0,
                   {},
                   std::string()},
                  Effect::kLabel),
      with_effect({"seed", std::int64_t{1}, "random seed", 0}, Effect::kSeed),
      with_effect({"threads", std::int64_t{0}, "threads to use (0: all cores this process may use)",
                   0, 4096},
                  Effect::kSpeed),
      with_effect({"checkpoint-seconds", 30.0,
                   "seconds between checkpoints (0: every epoch, -1: never)", -1.0, 1e9},
                  Effect::kSpeed),
  };
  return fields;
}

Settings run_settings() {
  Settings settings;
  settings.add(train_fields());
  for (const encoder::EncoderEntry& entry : encoder::encoders()) settings.add(entry.fields);
  for (const loss::LossEntry& entry : loss::losses()) settings.add(entry.fields);
  for (const optim::OptimizerEntry& entry : optim::optimizers()) settings.add(entry.fields);
  settings.add(data::data_fields());
  settings.add(data::weight_fields());
  return settings;
}

double trial_debias(const TrainOptions& options) {
  constexpr double kBalanced = 0.7, kBoth = 0.15;
  if (options.debias) return *options.debias;
  return options.goal == eval::Goal::kLogged ? 0.0
         : options.goal == eval::Goal::kBoth ? kBoth
                                             : kBalanced;
}

TrainOptions train_options(const Settings& settings) {
  TrainOptions options;
  options.batch = static_cast<std::size_t>(settings.integer("batch"));
  parse_negatives(settings, options);
  options.pool = options.batch;
  options.batch *= static_cast<std::size_t>(settings.integer("accumulate"));
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  if (loss.make_batch != nullptr && options.batch > options.pool) {
    fail_config(
        "--loss {} sees a batch whole, so --accumulate cannot join several; give a larger "
        "--batch instead",
        loss.name);
  }
  const bool one_each =
      options.negatives_kind == step::NegativesKind::kOwn && options.negatives == 1;
  if (loss.make_batch != nullptr && !one_each) {
    fail_config(
        "--loss {} compares one negative with each positive; give --negatives 1, without "
        "--shared-negatives",
        loss.name);
  }
  if (loss.counts_draws && (options.negatives_kind == step::NegativesKind::kInBatch ||
                            options.negatives_kind == step::NegativesKind::kAll)) {
    fail_config(
        "--loss {} counts random draws, which --negatives {} are not; give a number, as in "
        "--negatives {}",
        loss.name, settings.text("negatives"), loss.negatives);
  }
  options.l2 = settings.number("l2");
  options.epochs = static_cast<int>(settings.integer("epochs"));
  options.eval_every = static_cast<int>(settings.integer("eval-every"));
  options.patience = static_cast<int>(settings.integer("patience"));
  options.lr_decay = settings.number("lr-decay");
  options.average = static_cast<int>(settings.integer("average"));
  options.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  options.checkpoint_seconds = settings.number("checkpoint-seconds");
  options.score = model::parse_score(settings.text("score"));
  options.validation_users =
      eval::parse_user_limit(settings.text("validation-users"), "validation-users");
  options.evaluation_users =
      eval::parse_user_limit(settings.text("evaluation-users"), "evaluation-users");
  options.goal = eval::parse_goal(settings.text("goal"));
  const std::string& debias = settings.text("debias");
  options.debias = debias == "auto" ? std::nullopt : std::optional(rank::parse_debias(debias));
  return options;
}

}  // namespace evenkeel::train
