// The trainer. In: a data set and settings; out: the vectors of the best epoch. It composes
// sampler, encoder, loss and optimizer, stops early on validation Recall@20 and can save and
// restore itself at any step.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "encoder/encoder.h"
#include "eval/evaluate.h"
#include "loss/loss.h"
#include "optim/optimizer.h"
#include "sampler/negatives.h"
#include "sampler/positives.h"
#include "train/epoch.h"
#include "train/extractor.h"
#include "train/observer.h"
#include "train/options.h"

namespace evenkeel {

// Where a training stands: everything that is not a table.
struct Standing {
  int epoch = 1;       // the one that is running, from 1
  EpochTotals totals;  // of that epoch so far
  double epoch_seconds = 0;
  double best_recall = -1;
  int best_epoch = 0;
  int without_gain = 0;  // validations since the best
  double train_seconds = 0, evaluate_seconds = 0;
  std::size_t samples = 0;  // over all epochs
  bool told_to_stop = false;
  std::vector<std::string> events;  // one JSON line an epoch: events.jsonl
};

class Trainer {
 public:
  Trainer(const Dataset& data, const Settings& settings, Threads& threads);
  ~Trainer();

  // Trains the extractor if the loss wants margins; restore() makes it unnecessary.
  void prepare(Observer& observer, const std::atomic<bool>& stop);
  void prepare(ExtractorTables tables);
  // One epoch (or the rest of one) with its validation.
  void run_epoch(Observer& observer, const std::atomic<bool>& stop);

  bool done() const;  // all epochs done, patience spent, or an observer said so
  bool interrupted() const { return standing_.totals.interrupted; }
  Standing& standing() { return standing_; }
  const ExtractorTables& extractor() const { return extractor_; }
  Encoder& encoder() { return *encoder_; }
  Optimizer& optimizer(Side side) { return side == Side::kUser ? *users_ : *items_; }
  Matrix& best(Side side) { return side == Side::kUser ? best_users_ : best_items_; }

 private:
  void validate(EpochNews& news);
  void keep_best();

  const Dataset& data_;
  const Settings& settings_;
  Threads& threads_;
  TrainOptions options_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Optimizer> users_, items_;
  std::unique_ptr<Positives> positives_;
  RandomNegatives negatives_;
  ExtractorTables extractor_;
  std::unique_ptr<Margins> margins_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<ExactStep> step_;
  std::unique_ptr<EpochRunner> runner_;
  std::unique_ptr<Evaluator> evaluator_;  // absent without a validation part
  Matrix best_users_, best_items_;
  Standing standing_;
};

}  // namespace evenkeel
