// In: epochs to run. Out: tables that learn, the best of them kept.
#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/seconds.h"
#include "cluster/shares.h"
#include "encoder/registry.h"
#include "loss/registry.h"
#include "optim/registry.h"
#include "sampler/registry.h"
#include "step/make_step.h"
#include "train/rate_schedule.h"
#include "train/validation_sample.h"

namespace evenkeel::train {
namespace {

std::string event_line(const EpochProgress& news) {
  nlohmann::json event{{"epoch", news.epoch},
                       {"loss", news.loss},
                       {"seconds", news.seconds},
                       {"samples_per_second", news.samples_per_second}};
  if (news.recall) {
    event["valid"] = {{"recall@20", *news.recall},
                      {"ndcg@20", *news.ndcg},
                      {"balanced_recall@20", *news.balanced}};
    event["goal"] = news.goal;
    event["figure"] = *news.figure;
    event["evaluate_seconds"] = news.evaluate_seconds;
    event["best"] = news.best;
  }
  if (news.slower) event["slower"] = true;
  if (news.capped_share) event["capped_share"] = *news.capped_share;
  return event.dump();
}

// Where ranks hold the users between them, they hold the order of samples likewise.
std::unique_ptr<sampler::Positives> positives_of(const data::Dataset& data,
                                                 const Settings& settings,
                                                 const encoder::Encoder& encoder,
                                                 cluster::Cluster& ranks) {
  const sampler::SamplerEntry& entry = sampler::find_sampler(settings.text("samples"));
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  const auto cuts = encoder.owned_rows(Side::kUser);
  const bool divided = encoder.vectors_are_tables() && !cuts.empty() &&
                       entry.make_divided != nullptr && data.items_of.weights.empty();
  return divided ? entry.make_divided(data.items_of, data.item_count(), seed, cuts, ranks)
                 : entry.make(data.items_of, data.item_count(), seed);
}

}  // namespace

Trainer::Trainer(const data::Dataset& data, const Settings& settings, Threads& threads,
                 cluster::Cluster& ranks)
    : data_(data),
      settings_(settings),
      threads_(threads),
      ranks_(ranks),
      options_(train_options(settings)),
      entry_(loss::find_loss(settings.text("loss"))),
      extra_(entry_.extra_rows != nullptr ? entry_.extra_rows(settings, data.item_count())
                                          : ExtraRows{}),
      encoder_(encoder::find_encoder(settings.text("encoder"))
                   .make(data, settings, extra_,
                         {ranks, step::fetches_items(options_),
                          static_cast<double>(step::most_samples(options_, data)),
                          step::drawn_items(options_, data)})),
      users_(optim::find_optimizer(settings.text("optimizer"))
                 .make(encoder_->table(Side::kUser), settings)),
      items_(optim::find_optimizer(settings.text("optimizer"))
                 .make(encoder_->table(Side::kItem), settings)),
      positives_(positives_of(data, settings, *encoder_, ranks)),
      average_(options_.average) {
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    if (data.user_popularity[u] == 0) cold_users_.push_back(static_cast<Row>(u));
  }
  if (data.valid.interactions() == 0) return;
  evaluator_ = std::make_unique<eval::Evaluator>(data, data.valid);
  const bool divided = encoder_->vectors_are_tables();  // elsewhere every rank has all vectors
  evaluator_->divide_among(
      ranks, divided ? encoder_->owned_rows(Side::kUser) : std::span<const std::size_t>());
  const auto users = evaluator_->users();
  const std::size_t wanted = validation_users(options_, data, users.size());
  if (wanted == users.size()) return;
  evaluator_->keep_users(
      eval::stratified_sample(users, data.user_popularity, wanted, options_.seed));
}

Trainer::~Trainer() = default;

bool Trainer::wants_extractor() const {
  return entry_.uses_margins && needs_extractor(settings_);
}

void Trainer::prepare(Observer& observer, const std::atomic<bool>& stop, SharedExtractors* shared) {
  if (evaluator_ != nullptr && evaluator_->users().size() < evaluator_->all_users()) {
    observer.on_message(fmt::format(
        "validations rank {} of {} users (standard error at most {:.4f}); --validation-users all "
        "ranks everybody",
        evaluator_->users().size(), evaluator_->all_users(),
        eval::largest_standard_error(evaluator_->users().size())));
  }
  if (!wants_extractor()) {
    prepare(ExtractorTables{});
    return;
  }
  const auto train = [&] { return train_extractor(data_, settings_, threads_, observer, stop); };
  prepare(shared != nullptr ? shared->tables(data_, settings_, train) : train());
}

void Trainer::prepare(ExtractorTables tables) {
  extractor_ = std::move(tables);
  if (entry_.uses_margins) {
    margins_ =
        std::make_unique<loss::Margins>(make_margins(data_, settings_, extractor_, &threads_));
  }
  const loss::LossInputs inputs{data_.user_popularity, data_.item_popularity, margins_.get(),
                                &data_.users_of, options_.seed};
  if (entry_.make != nullptr) loss_ = entry_.make(settings_, inputs);
  if (!thresholds().empty()) {
    thresholds_ = std::make_unique<Thresholds>(data_, settings_, threads_);
  }
  if (entry_.make_batch != nullptr) batch_loss_ = entry_.make_batch(settings_, inputs);
  step_ = step::make_step({*encoder_, *users_, *items_, threads_, ranks_}, loss_.get(),
                          batch_loss_.get(), data_, options_);
}

bool Trainer::done() const {
  return state_.told_to_stop || state_.epoch > options_.epochs ||
         state_.without_gain >= options_.patience;
}

void Trainer::run_epoch(Observer& observer, const std::atomic<bool>& stop) {
  const int epoch = state_.epoch;
  const auto start = std::chrono::steady_clock::now();
  const double seconds_before = state_.epoch_seconds;
  state_.totals.interrupted = false;
  renew_thresholds();
  users_->reserve_steps(data_.interactions() / options_.batch + 1);
  items_->reserve_steps(data_.interactions() / options_.batch + 1);
  train::run_epoch(
      static_cast<std::uint32_t>(epoch), *positives_, *step_, options_.batch, state_.totals, stop,
      [&](const EpochTotals& totals, std::size_t size) {
        observer.on_step(
            {"train", epoch, options_.epochs, totals.samples, size, totals.mean_loss()});
      },
      ranks_);
  state_.epoch_seconds = seconds_before + seconds_since(start);
  const EpochTotals& totals = state_.totals;
  if (totals.samples == 0) {
    fail_data(
        "{}: no user has both a training item and an item left to compare it with; give a "
        "data set with more items",
        data_.name);
  }
  const double mean_loss = totals.mean_loss();
  if (!std::isfinite(mean_loss)) {
    fail_run("training diverged in epoch {}: the loss is {}; lower --lr (now {}) or raise --tau",
             epoch, mean_loss, settings_.number("lr"));
  }
  if (totals.interrupted) return;
  positives_->end_epoch();

  EpochProgress news{.phase = "train", .epoch = epoch, .epochs = options_.epochs};
  news.loss = mean_loss;
  news.seconds = state_.epoch_seconds;
  news.samples_per_second = static_cast<double>(totals.samples) / state_.epoch_seconds;
  news.patience = options_.patience;
  news.goal = eval::goal_name(options_.goal);
  if (margins_) {
    news.capped_share = static_cast<double>(totals.capped) / static_cast<double>(totals.samples);
  }
  warn_of_cap(news, observer);
  state_.train_seconds += state_.epoch_seconds;
  state_.samples += totals.samples;
  if (epoch % options_.eval_every == 0 || epoch == options_.epochs) validate(news);
  slow_down(news);
  if (evaluator_ != nullptr) {
    news.best_figure = state_.best_figure;
    news.best_epoch = state_.best_epoch;
  }
  news.evaluations_without_gain = state_.without_gain;
  state_.events.push_back(event_line(news));
  ++state_.epoch;
  state_.totals = {};
  state_.epoch_seconds = 0;
  state_.told_to_stop = cluster::any(ranks_, observer.on_epoch(news));
}

void Trainer::slow_down(EpochProgress& news) {
  if (options_.lr_decay >= 1) return;
  const bool planned = std::find(planned_.begin(), planned_.end(), news.epoch) != planned_.end();
  const int enough = validations_before_slowing(options_.patience);
  news.slower = planned || (news.recall && !news.best && state_.without_gain % enough == 0);
  if (!news.slower) return;
  for (optim::Optimizer* side : {users_.get(), items_.get()}) {
    side->slow_down(*side->state().step, options_.lr_decay);
  }
}

void Trainer::repeat_slowing() {
  const std::size_t samples = positives_->size();
  const std::size_t steps = (samples + options_.batch - 1) / options_.batch;
  for (const int epoch : slowed_epochs(state_.events)) {
    const auto step = static_cast<std::uint32_t>(static_cast<std::size_t>(epoch) * steps);
    for (optim::Optimizer* side : {users_.get(), items_.get()}) {
      side->slow_down(step, options_.lr_decay);
    }
  }
}

// Pairs at the cap have no gradient; when many are, training stalls.
void Trainer::warn_of_cap(const EpochProgress& news, Observer& observer) {
  constexpr double kMany = 0.2;
  if (warned_ || news.capped_share.value_or(0) <= kMany ||
      settings_.text("margin-shape") != "capped") {
    return;
  }
  warned_ = true;
  observer.on_message(fmt::format(
      "{:.0f} % of the pairs of epoch {} have their margin cut at pi and no gradient; lower "
      "--margin-strength (now {}) or use --margin-shape monotone",
      100 * *news.capped_share, news.epoch, settings_.number("margin-strength")));
}

// At the beginning of an epoch alone: in the middle of one, a resumed training has those it had.
void Trainer::renew_thresholds() {
  if (thresholds_ == nullptr || state_.totals.samples > 0 || !thresholds_->due(state_.epoch)) {
    return;
  }
  finalize_vectors();
  lend_items(encoder_->table(Side::kItem));
  const Matrix& users = encoder_->vectors(Side::kUser);
  thresholds_->estimate(state_.epoch, users, encoder_->vectors(Side::kItem), threads_,
                        thresholds());
  if (users.holds_all()) return;
  cluster::Shares(ranks_).share(
      {cluster::share_of(thresholds(), encoder_->owned_rows(Side::kUser))});
}

void Trainer::finalize_vectors() {
  users_->finish(threads_);
  items_->finish(threads_);
  encoder_->forward_all(threads_);
  place_cold_users();
}

// Rows of others stay as they are until a batch names them.
void Trainer::lend_items(Matrix& items) {
  if (items.holds_all()) return;
  cluster::Shares(ranks_).share({cluster::share_of(items, encoder_->owned_rows(Side::kItem))});
}

// Rows at step 0 of the optimizer never catch up: nobody but its owner moves a row.
void Trainer::forget_others_rows() {
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  for (const Side side : {Side::kUser, Side::kItem}) {
    const auto cuts = encoder_->owned_rows(side);
    if (cuts.empty()) continue;
    const optim::OptimizerState state = optimizer(side).state();
    for (const auto& [begin, end] :
         {std::pair{std::size_t{0}, cuts[rank]}, std::pair{cuts[rank + 1], cuts.back()}}) {
      for (const auto& [name, matrix] : state.matrices) {
        if (matrix->holds_all()) std::fill(matrix->row(begin), matrix->row(end), 0.0F);
      }
      for (const auto& [name, counter] : state.counters) {
        std::fill(counter->begin() + static_cast<std::ptrdiff_t>(begin),
                  counter->begin() + static_cast<std::ptrdiff_t>(end), 0U);
      }
    }
  }
}

// A user without training items learns nothing: its row would stay as random as it began, and so
// would its list. The mean of all who learned ranks what most of them like.
void Trainer::place_cold_users() {
  if (cold_users_.empty() || cold_users_.size() == data_.user_count()) return;
  const Matrix& users = encoder_->vectors(Side::kUser);
  std::vector<double> sum(users.dim(), 0.0);
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t u = begin; u < end; ++u) {
      if (data_.user_popularity[u] == 0) continue;
      for (std::size_t c = 0; c < users.dim(); ++c) sum[c] += double{users.row(u)[c]};
    }
  };
  const RowRange held = users.held();
  if (users.holds_all()) {
    add(0, data_.user_count());
  } else {  // rank after rank, each from where the one before it came: the order of one process
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      if (rank == ranks_.rank()) add(held.begin, held.end);
      ranks_.broadcast(sum.data(), sum.size() * sizeof(double), rank);
    }
  }
  const auto known = static_cast<double>(data_.user_count() - cold_users_.size());
  std::vector<float> mean(users.dim());
  for (std::size_t c = 0; c < users.dim(); ++c) mean[c] = static_cast<float>(sum[c] / known);
  for (const Row user : cold_users_) {
    if (user >= held.begin && user < held.end) encoder_->set_vector(Side::kUser, user, mean);
  }
}

}  // namespace evenkeel::train
