// The trainer. In: a data set and settings; out: the vectors of the best epoch. It composes
// sampler, encoder, loss and optimizer, stops early by the goal's figure on validation and can save
// and restore itself at any step.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/threads.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "encoder/encoder.h"
#include "eval/evaluate.h"
#include "loss/registry.h"
#include "optim/optimizer.h"
#include "sampler/positives.h"
#include "train/epoch.h"
#include "train/extractor.h"
#include "train/observer.h"
#include "train/options.h"
#include "train/shared_extractors.h"
#include "train/thresholds.h"
#include "train/vector_average.h"

namespace evenkeel::train {

// Where a training stands: everything that is not a table.
struct TrainingState {
  int epoch = 1;       // the one that is running, from 1
  EpochTotals totals;  // of that epoch so far
  double epoch_seconds = 0;
  double best_figure = -1;  // of the goal, on validation
  int best_epoch = 0;
  int without_gain = 0;  // validations since the best
  double train_seconds = 0, evaluate_seconds = 0;
  std::size_t samples = 0;  // over all epochs
  bool told_to_stop = false;
  std::vector<std::string> events;  // one JSON line per epoch: events.jsonl
};

// What a training ends in: vectors that rank, and what else the method keeps.
struct TrainedVectors {
  Matrix users, items;
  model::Score score = model::Score::kCosine;
  double temperature = 0;  // where the theory gives it, else 0
  std::map<std::string, Matrix> extra;
  std::map<std::string, double> parameters;  // of the ranking rule, as chosen
};

class Trainer {
 public:
  Trainer(const data::Dataset& data, const Settings& settings, Threads& threads,
          cluster::Cluster& ranks = cluster::alone());
  ~Trainer();

  // Trains the extractor if the loss wants margins and no run that shares its extractor has done
  // so; restore() makes it unnecessary.
  void prepare(Observer& observer, const std::atomic<bool>& stop,
               SharedExtractors* shared = nullptr);
  void prepare(ExtractorTables tables);
  // Of a training that goes by another's epochs: the learning rate falls after the same ones.
  void slow_down_after(std::vector<int> epochs) { planned_ = std::move(epochs); }
  // Restored events say when the rate fell; the optimizers follow.
  void repeat_slowing();
  // Ranks move rows of their own (encoder.owned_rows): after a restore each forgets what is not its
  // own.
  void forget_others_rows();
  // One epoch (or the rest of one) with its validation.
  void run_epoch(Observer& observer, const std::atomic<bool>& stop);

  bool done() const;  // all epochs done, patience spent, or an observer said so
  // Of the best epoch; before the first validation, what is learned so far. It ends the training:
  // what only trains is given back first. Where ranks hold the users between them, each has its own
  // users' vectors; every rank has all items.
  TrainedVectors result(Observer& observer);
  // As they stand between two epochs; the training goes on as if nobody had asked.
  TrainedVectors current();

  std::size_t epoch_samples() const { return positives_->size(); }
  bool wants_extractor() const;  // the loss wants margins that come from one
  bool interrupted() const { return state_.totals.interrupted; }
  TrainingState& state() { return state_; }
  const ExtractorTables& extractor() const { return extractor_; }
  encoder::Encoder& encoder() { return *encoder_; }
  optim::Optimizer& optimizer(Side side) { return side == Side::kUser ? *users_ : *items_; }
  std::span<float> thresholds() { return loss_ ? loss_->thresholds() : std::span<float>{}; }
  VectorAverage& average() { return average_; }
  Matrix& best(Side side) { return side == Side::kUser ? best_users_ : best_items_; }
  // The rows of the best epoch's vectors that this rank keeps: its own, or a share of those that
  // every rank has.
  RowRange best_rows(Side side) const;

 private:
  void renew_thresholds();
  void finalize_vectors();
  void lend_items(Matrix& items);  // where ranks own items: each gets those of the others
  void place_cold_users();
  void give_back();  // what only trains
  void ensure_best();
  void keep_best(const Matrix& users, const Matrix& items);
  void make_best_whole(Side side);
  void validate(EpochProgress& news);
  const Matrix& ranking(Side side);  // the vectors as they stand, or their average
  void slow_down(EpochProgress& news);
  void warn_of_cap(const EpochProgress& news, Observer& observer);
  eval::Evaluator::Quick validation(const Matrix& users, const Matrix& items, double parameter);
  eval::Evaluator::Quick corrected_validation(const eval::VectorView& vectors);
  double fitted_temperature(const eval::VectorView& vectors);  // 0: none
  loss::RankingVectors ranking_vectors(const Matrix& users, const Matrix& items,
                                       double parameter) const;
  TrainedVectors trained(loss::RankingVectors vectors) const;
  double given_parameter() const;  // of the ranking rule; 0 when it is still to be chosen
  model::Score score() const;
  double known_temperature() const;  // tau where it is the temperature of the scores, else 0

  const data::Dataset& data_;
  const Settings& settings_;
  Threads& threads_;
  cluster::Cluster& ranks_;
  TrainOptions options_;
  const loss::LossEntry& entry_;
  ExtraRows extra_;
  std::unique_ptr<encoder::Encoder> encoder_;
  std::unique_ptr<optim::Optimizer> users_, items_;
  std::unique_ptr<sampler::Positives> positives_;
  ExtractorTables extractor_;
  std::unique_ptr<loss::Margins> margins_;
  std::unique_ptr<loss::Loss> loss_;  // or
  std::unique_ptr<loss::BatchLoss> batch_loss_;
  std::unique_ptr<Thresholds> thresholds_;  // for a loss that has some
  std::unique_ptr<step::Step> step_;
  std::vector<Row> cold_users_;                 // users without training items
  std::unique_ptr<eval::Evaluator> evaluator_;  // absent without a validation part
  VectorAverage average_;
  Matrix best_users_, best_items_;
  TrainingState state_;
  std::vector<int> planned_;  // epochs after which the rate falls, without a look at validation
  bool warned_ = false;
};

}  // namespace evenkeel::train
