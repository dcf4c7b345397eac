// What a run tells the outside while it works. In: the trainer's news; out: whatever the listener
// makes of it (a progress bar, a log, a Python callback). The engine itself never prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "eval/evaluate.h"

namespace evenkeel::train {

struct StepProgress {      // after every step; must be cheap to ignore
  std::string_view phase;  // "extractor" or "train"
  int epoch = 0;           // from 1
  int epochs = 0;          // the most there can be
  std::size_t done = 0;    // samples of this epoch
  std::size_t total = 0;
  double loss = 0;  // mean of this epoch so far
};

struct EpochProgress {
  std::string_view phase;
  int epoch = 0;
  int epochs = 0;
  double loss = 0;
  double seconds = 0;  // training only
  double samples_per_second = 0;
  double evaluate_seconds = 0;
  std::optional<double> recall{};  // validation Recall@20, on epochs that evaluate
  std::optional<double> ndcg{};
  std::optional<double> balanced{};  // validation Recall@20 under the goal `balanced`
  std::string_view goal = "logged";  // what `figure` measures
  std::optional<double> figure{};    // the one that chooses the best epoch
  bool best = false;                 // this epoch is the best so far
  bool slower = false;               // the learning rate falls after it
  double best_figure = 0;
  int best_epoch = 0;
  int evaluations_without_gain = 0;
  int patience = 0;
  std::optional<double> capped_share{};  // BC: pairs whose margin is cut to pi - theta
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_message(std::string_view) {}  // one sentence for people: a warning, a choice made
  virtual void on_step(const StepProgress&) {}
  virtual void on_evaluation(const eval::EvaluationProgress&) {}  // of the figures of the result
  virtual bool on_epoch(const EpochProgress&) {
    return false;
  }  // true: stop here, keep the best epoch
};

}  // namespace evenkeel::train
