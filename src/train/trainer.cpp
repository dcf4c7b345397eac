// In: epochs to run. Out: tables that learn, the best of them kept.
#include "train/trainer.h"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "encoder/registry.h"
#include "loss/registry.h"
#include "optim/registry.h"
#include "sampler/registry.h"

namespace evenkeel {
namespace {

constexpr std::size_t kStopK = 20;  // early stopping watches Recall@20

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string event_line(const EpochNews& news) {
  nlohmann::json event{{"epoch", news.epoch},
                       {"loss", news.loss},
                       {"seconds", news.seconds},
                       {"samples_per_second", news.samples_per_second}};
  if (news.recall) {
    event["valid"] = {{"recall@20", *news.recall}, {"ndcg@20", *news.ndcg}};
    event["evaluate_seconds"] = news.evaluate_seconds;
    event["best"] = news.best;
  }
  if (news.capped_share) event["capped_share"] = *news.capped_share;
  return event.dump();
}

}  // namespace

Trainer::Trainer(const Dataset& data, const Settings& settings, Threads& threads)
    : data_(data),
      settings_(settings),
      threads_(threads),
      options_(train_options(settings)),
      encoder_(find_encoder(settings.text("encoder")).make(data, settings)),
      users_(
          find_optimizer(settings.text("optimizer")).make(encoder_->table(Side::kUser), settings)),
      items_(
          find_optimizer(settings.text("optimizer")).make(encoder_->table(Side::kItem), settings)),
      positives_(find_sampler(settings.text("samples"))
                     .make(data.items_of, data.item_count(), options_.seed)),
      negatives_(data.items_of, data.item_count(), options_.seed) {
  if (data.valid.interactions() > 0) evaluator_ = std::make_unique<Evaluator>(data, data.valid);
}

Trainer::~Trainer() = default;

void Trainer::prepare(Observer& observer, const std::atomic<bool>& stop) {
  const bool uses_margins = find_loss(settings_.text("loss")).uses_margins;
  const bool extracts = uses_margins && find_margin(settings_.text("margin")).needs_extractor;
  prepare(extracts ? train_extractor(data_, settings_, threads_, observer, stop)
                   : ExtractorTables{});
}

void Trainer::prepare(ExtractorTables tables) {
  extractor_ = std::move(tables);
  const LossEntry& entry = find_loss(settings_.text("loss"));
  if (entry.uses_margins) {
    margins_ = std::make_unique<Margins>(make_margins(data_, settings_, extractor_));
  }
  loss_ = entry.make(settings_, {data_.user_popularity, data_.item_popularity, margins_.get()});
  step_ = std::make_unique<ExactStep>(StepParts{*encoder_, *loss_, *users_, *items_, threads_},
                                      options_.batch, options_.negatives, options_.l2);
  runner_ = std::make_unique<EpochRunner>(*positives_, negatives_, *step_, options_.batch,
                                          options_.seed, threads_);
}

bool Trainer::done() const {
  return standing_.told_to_stop || standing_.epoch > options_.epochs ||
         standing_.without_gain >= options_.patience;
}

void Trainer::run_epoch(Observer& observer, const std::atomic<bool>& stop) {
  const int epoch = standing_.epoch;
  const auto start = std::chrono::steady_clock::now();
  const double seconds_before = standing_.epoch_seconds;
  standing_.totals.interrupted = false;
  users_->reserve_steps(data_.interactions() / options_.batch + 1);
  items_->reserve_steps(data_.interactions() / options_.batch + 1);
  runner_->run(
      static_cast<std::uint32_t>(epoch), standing_.totals, stop, [&](const EpochTotals& totals) {
        observer.on_step({"train", epoch, options_.epochs, totals.samples, runner_->samples(),
                          totals.loss / static_cast<double>(totals.samples)});
      });
  standing_.epoch_seconds = seconds_before + seconds_since(start);
  const EpochTotals& totals = standing_.totals;
  if (totals.samples == 0) {
    fail_data(
        "{}: no user has both a training item and an item left to compare it with; give a "
        "data set with more items",
        data_.name);
  }
  const double mean_loss = totals.loss / static_cast<double>(totals.samples);
  if (!std::isfinite(mean_loss)) {
    fail_run("training diverged in epoch {}: the loss is {}; lower --lr (now {}) or raise --tau",
             epoch, mean_loss, settings_.number("lr"));
  }
  if (totals.interrupted) return;

  EpochNews news{.phase = "train", .epoch = epoch, .epochs = options_.epochs};
  news.loss = mean_loss;
  news.seconds = standing_.epoch_seconds;
  news.samples_per_second = static_cast<double>(totals.samples) / standing_.epoch_seconds;
  news.patience = options_.patience;
  if (margins_) {
    news.capped_share = static_cast<double>(totals.capped) / static_cast<double>(totals.samples);
  }
  standing_.train_seconds += standing_.epoch_seconds;
  standing_.samples += totals.samples;
  if (epoch % options_.eval_every == 0 || epoch == options_.epochs) validate(news);
  news.best_recall = standing_.best_recall;
  news.best_epoch = standing_.best_epoch;
  news.evaluations_without_gain = standing_.without_gain;
  standing_.events.push_back(event_line(news));
  ++standing_.epoch;
  standing_.totals = {};
  standing_.epoch_seconds = 0;
  standing_.told_to_stop = observer.on_epoch(news);
}

void Trainer::validate(EpochNews& news) {
  const auto start = std::chrono::steady_clock::now();
  users_->finish(threads_);
  items_->finish(threads_);
  encoder_->forward_all(threads_);
  if (evaluator_ == nullptr) {  // nothing to choose by: the last epoch is the result
    news.best = true;
  } else {
    const VectorView view{encoder_->vectors(Side::kUser), encoder_->vectors(Side::kItem),
                          options_.score};
    const Evaluator::Quick quick = evaluator_->quick(view, kStopK, threads_);
    news.recall = quick.recall;
    news.ndcg = quick.ndcg;
    news.best = quick.recall > standing_.best_recall;
  }
  if (news.best) {
    standing_.best_recall = news.recall.value_or(0);
    standing_.best_epoch = news.epoch;
    standing_.without_gain = 0;
    keep_best();
  } else {
    ++standing_.without_gain;
  }
  news.evaluate_seconds = seconds_since(start);
  standing_.evaluate_seconds += news.evaluate_seconds;
}

void Trainer::keep_best() {
  best_users_ = encoder_->vectors(Side::kUser);
  best_items_ = encoder_->vectors(Side::kItem);
}

}  // namespace evenkeel
