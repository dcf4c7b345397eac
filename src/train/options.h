// The options of training. In: settings; out: the numbers a trainer needs, checked together.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/settings.h"
#include "data/dataset.h"
#include "eval/goals.h"
#include "eval/user_sample.h"
#include "loss/registry.h"
#include "model/model.h"
#include "step/step_options.h"

namespace evenkeel::train {

std::span<const Field> train_fields();

struct TrainOptions : step::StepOptions {
  int epochs = 0;
  int eval_every = 0;
  int patience = 0;
  double lr_decay = 1;
  int average = 1;
  double checkpoint_seconds = 0;
  model::Score score = model::Score::kCosine;
  eval::Goal goal = eval::Goal::kLogged;
  eval::UserLimit validation_users, evaluation_users;
  std::optional<double> debias = 0;  // none: the goal chooses it after training
};

// The strength of the correction while epochs are compared, before the goal has chosen one: near
// what it usually chooses.
double trial_debias(const TrainOptions& options);

// Fills in what depends on the loss (negatives and score, defaults of its own) or the goal
// (debias).
void resolve_defaults(Settings& settings);
// Fills in what depends on the data's size: a small data set gets smaller batches, so that an epoch
// is more than a step or two, and is not validated (and given up) every few steps; a goal that
// counts rare items gets its temperature, from 0.25 for a small catalogue to 0.1 for a large one.
void fit_to_data(Settings& settings, std::size_t interactions, std::size_t items);
TrainOptions train_options(const Settings& settings);  // of resolved settings

}  // namespace evenkeel::train
