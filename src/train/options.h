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

TrainOptions train_options(const Settings& settings);  // of resolved settings

}  // namespace evenkeel::train
