// In: data. Out: a training that is measured, and with a refit a second one on everything.
#include "train/refit.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/printable.h"
#include "base/seconds.h"
#include "cluster/agreement.h"
#include "data/split.h"
#include "train/goal_choice.h"
#include "train/run_data.h"
#include "train/run_result.h"
#include "train/selection.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// How much popularity the goal wants out of the rankings, measured on validation.
void choose_correction(const RunContext& run, const data::Dataset& data, Training& training) {
  const TrainOptions options = train_options(run.settings);
  training.dial =
      choose_correction(training.model, data, options, run.threads, run.observer, run.ranks);
  if (!options.debias) training.chosen["debias"] = training.model.debias;
}

// Where the epoch is chosen, nothing that tells when to stop is of use any more.
void refuse_other_stopping(const RunContext& run) {
  for (const Change& change : changes(run)) {
    if (run.settings.field(change.name).effect != Effect::kStopping) continue;
    fail_config(
        "--{} is {}, but {} has chosen the epochs of its --refit with {}; leave it out, or "
        "start anew with --overwrite instead of --resume",
        change.name, change.now, run.request.out, change.then);
  }
}

json figures_of(const RunContext& run, model::Model& model, const data::Dataset& data) {
  return evaluations_of(model, data, train_options(run.settings).evaluation_users, run.threads,
                        run.observer, run.ranks);
}

// The first half of a refit: which epoch, and the figures that only an untouched part can give.
Selection select_epoch(const RunContext& run, const data::Dataset& data) {
  const std::string path = run.folder.file(run_files::kSelection);
  const bool selected = run.request.resume && run.folder.has(run_files::kSelection);
  if (cluster::any(run.ranks, selected)) {
    cluster::on_first_rank(run.ranks, [&] { refuse_other_stopping(run); });
    return load_selection(run.settings, data, path);
  }
  Training training = train_phase(run, {data, run.settings, run_files::kCheckpoint, {}});
  const auto start = Clock::now();
  describe_model(training.model, data, run.settings, run.request.data);
  choose_correction(run, data, training);
  Selection selection;
  selection.best_epoch = std::max(1, training.state.best_epoch);
  selection.figures = figures_of(run, training.model, data);
  selection.figures["dial"] = std::move(training.dial);
  selection.chosen = std::move(training.chosen);
  selection.effort.add(training.state);
  selection.effort.evaluate_seconds += seconds_since(start);
  selection.events = std::move(training.state.events);
  cluster::on_first_rank(run.ranks, [&] {
    if (run.folder.writes()) save_selection(selection, run.settings, data, path);
  });
  return selection;
}

// The refitted model ranks with what was chosen before: there is no validation part left to ask.
void set_correction(model::Model& model, const json& dial, const Settings& settings) {
  model.debias = train_options(settings).debias.value_or(0);
  if (model.temperature == 0 && dial.is_object())
    model.temperature = dial.value("temperature", 0.0);
}

}  // namespace

Trained train_with_refit(const RunContext& run, const data::Dataset& data) {
  const Selection selection = select_epoch(run, data);
  data::Dataset all = data::merge_into_train(data, is_log(run.request));
  keep_what_trains(all, run.settings);
  if (!run.folder.has(run_files::kResult)) {
    run.observer.on_message(fmt::format(
        "refit: training on all of {} for {}", counted(all.interactions(), "interaction"),
        counted(static_cast<std::size_t>(selection.best_epoch), "epoch")));
  }
  const Settings again = refit_settings(run.settings, selection);
  Training training = train_phase(run, {all, again, run_files::kRefitCheckpoint, selection.events});
  if (training.idle) return {{}, {}, true};
  const auto start = Clock::now();
  describe_model(training.model, all, run.settings, run.request.data);
  json result = selection.figures;
  set_correction(training.model, result.at("dial"), again);
  json before = json::array();  // parts that only the model before the refit could be measured on
  const json after = figures_of(run, training.model, all);
  for (const auto& [part, figures] : after["evaluations"].items()) {
    result["evaluations"][part] = figures;
    result["groups"][part] = after["groups"][part];
  }
  for (const auto& [part, figures] : result["evaluations"].items()) {
    if (!after["evaluations"].contains(part)) before.push_back(part);
  }
  Effort effort = selection.effort;
  effort.add(training.state);
  effort.evaluate_seconds += seconds_since(start);
  result["refit"] = {{"epochs", selection.best_epoch},
                     {"interactions", all.interactions()},
                     {"measured_before", std::move(before)}};
  result["chosen"] = selection.chosen;
  result["best_epoch"] = selection.best_epoch;
  result["epochs"] = selection.effort.epochs;
  result["timing"] = timing_json(effort);
  result["threads"] = run.threads.count();
  return {std::move(training.model), std::move(result), false};
}

Trained train_once(const RunContext& run, const data::Dataset& data) {
  Training training = train_phase(run, {data, run.settings, run_files::kCheckpoint, {}});
  if (training.idle) return {{}, {}, true};
  const auto start = Clock::now();
  describe_model(training.model, data, run.settings, run.request.data);
  choose_correction(run, data, training);
  json result = figures_of(run, training.model, data);
  if (training.dial.is_object()) result["dial"] = std::move(training.dial);
  Effort effort;
  effort.add(training.state);
  effort.evaluate_seconds += seconds_since(start);
  result["chosen"] = std::move(training.chosen);
  result["best_epoch"] = training.state.best_epoch;
  result["epochs"] = training.state.events.size();
  result["timing"] = timing_json(effort);
  result["threads"] = run.threads.count();
  return {std::move(training.model), std::move(result), false};
}

}  // namespace evenkeel::train
