// In: a request. Out: a run folder. This file is the way of the data:
// read -> dataset -> split -> for each epoch { ... } -> evaluate -> record.
#include "train/run.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/load.h"
#include "data/prepared.h"
#include "data/read_messages.h"
#include "data/split.h"
#include "eval/test_parts.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "loss/registry.h"
#include "model/model.h"
#include "train/checkpoint.h"
#include "train/goal_choice.h"
#include "train/rate_schedule.h"
#include "train/run_folder.h"
#include "train/run_result.h"
#include "train/selection.h"
#include "train/trainer.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// What the functions below share.
struct Run {
  const RunRequest& request;
  const Settings& settings;
  RunFolder& folder;
  Threads& threads;
  Observer& observer;
  const std::atomic<bool>& stop;
};

// One training of a run: on what, with which settings, and where it keeps its checkpoint.
struct Phase {
  const data::Dataset& data;
  const Settings& settings;
  std::string_view checkpoint;
  std::vector<std::string> earlier;  // events of the phase before
};

struct Training {
  model::Model model;
  TrainingState state;
  json chosen = json::object();  // what a method chose on validation after training
  json dial;                     // the goals over strengths of the correction; null: not measured
};

// Items by popularity need no training: one-dimensional vectors whose dot product is p_i.
model::Model popular_model(const data::Dataset& data) {
  model::Model model;
  model.users = Matrix(data.user_count(), 1);
  model.items = Matrix(data.item_count(), 1);
  for (std::size_t u = 0; u < data.user_count(); ++u) model.users.row(u)[0] = 1;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    model.items.row(i)[0] = static_cast<float>(data.item_popularity[i]);
  }
  model.score = model::Score::kDot;
  return model;
}

void write_events(const RunFolder& folder, const std::vector<std::string>& earlier,
                  const TrainingState& state) {
  if (!folder.writes()) return;
  std::string lines;
  for (const std::string& event : earlier) lines += event + "\n";
  for (const std::string& event : state.events) lines += event + "\n";
  io::write_file_atomically(folder.file(run_files::kEvents), lines);
}

void append_event(const RunFolder& folder, const std::string& event) {
  if (!folder.writes()) return;
  io::append_line(folder.file(run_files::kEvents), event);
}

// Trains to the end. When stopped it throws kInterrupted after a checkpoint; in memory, where
// nothing could go on later, it keeps what it has.
void train_epochs(Trainer& trainer, const Run& run, const Phase& phase) {
  const double interval = phase.settings.number("checkpoint-seconds");
  const std::string path = run.folder.file(phase.checkpoint);
  const auto save = [&] {
    save_checkpoint(trainer, phase.settings, phase.data, absolute_path(run.request.data), path);
  };
  auto last_checkpoint = Clock::now();
  while (!trainer.done()) {
    trainer.run_epoch(run.observer, run.stop);
    if (trainer.interrupted() && !run.folder.writes()) return;
    if (trainer.interrupted()) {
      save();
      throw Error(ErrorKind::kInterrupted, fmt::format("stopped in epoch {}; the checkpoint is {}",
                                                       trainer.state().epoch, path));
    }
    append_event(run.folder, trainer.state().events.back());
    const double waited = std::chrono::duration<double>(Clock::now() - last_checkpoint).count();
    if (run.folder.writes() && interval >= 0 && (waited >= interval || trainer.done())) {
      save();
      last_checkpoint = Clock::now();
    }
  }
  // Where the training began from a checkpoint of another folder and had nothing left to do.
  if (run.folder.writes() && interval >= 0 && !run.folder.has(phase.checkpoint)) save();
}

model::Model trained_model(TrainedVectors trained, json& chosen) {
  model::Model model;
  model.users = std::move(trained.users);
  model.items = std::move(trained.items);
  model.score = trained.score;
  model.temperature = trained.temperature;
  model.extra_tables = std::move(trained.extra);
  for (const auto& [name, value] : trained.parameters) {
    chosen[name] = value;
    model.notes[name] = fmt::format("{}", value);
  }
  return model;
}

// The checkpoint to go on from; empty: train from the beginning.
std::string checkpoint_to_restore(const Run& run, const Phase& phase) {
  if (run.request.resume && run.folder.has(phase.checkpoint)) {
    return run.folder.file(phase.checkpoint);
  }
  return phase.checkpoint == run_files::kCheckpoint ? run.request.start_from : "";
}

// The first thing that changes the folder is begin(): until then a wrong checkpoint, wrong settings
// or other data are refused.
Training train_phase(const Run& run, const Phase& phase) {
  const std::string config = config_text(run.settings, run.request.data);
  const std::string source = checkpoint_to_restore(run, phase);
  const bool anew = source.empty() && phase.earlier.empty();
  Training training;
  if (!loss::find_loss(phase.settings.text("loss")).trains()) {
    run.folder.begin(anew, config);
    write_events(run.folder, phase.earlier, training.state);
    training.model = popular_model(phase.data);
    return training;
  }
  Trainer trainer(phase.data, phase.settings, run.threads);
  trainer.slow_down_after(slowed_epochs(phase.earlier));
  if (!source.empty()) {
    restore_checkpoint(trainer, phase.settings, phase.data, source);
    run.observer.on_message(fmt::format("going on in epoch {}", trainer.state().epoch));
  }
  run.folder.begin(anew, config);
  if (source.empty()) trainer.prepare(run.observer, run.stop, run.request.extractors);
  write_events(run.folder, phase.earlier, trainer.state());
  train_epochs(trainer, run, phase);
  training.model = trained_model(trainer.result(run.observer), training.chosen);
  training.state = trainer.state();
  return training;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How much popularity the goal wants out of the rankings, measured on validation.
void choose_correction(const Run& run, const data::Dataset& data, Training& training) {
  const TrainOptions options = train_options(run.settings);
  training.dial = choose_correction(training.model, data, options, run.threads, run.observer);
  if (!options.debias) training.chosen["debias"] = training.model.debias;
}

json figures_of(const Run& run, const model::Model& model, const data::Dataset& data) {
  return evaluations_of(model, data, train_options(run.settings).evaluation_users, run.threads,
                        run.observer);
}

// The first half of a refit: which epoch, and the figures that only an untouched part can give.
Selection select_epoch(const Run& run, const data::Dataset& data) {
  const std::string path = run.folder.file(run_files::kSelection);
  if (run.request.resume && run.folder.has(run_files::kSelection)) {
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
  if (run.folder.writes()) save_selection(selection, run.settings, data, path);
  return selection;
}

bool is_log(const RunRequest& request) {
  return request.data.empty() ? request.log_in_memory : !data::is_split_already(request.data);
}

struct Trained {
  model::Model model;
  json result;
};

// The refitted model ranks with what was chosen before: there is no validation part left to ask.
void set_correction(model::Model& model, const json& dial, const Settings& settings) {
  model.debias = train_options(settings).debias.value_or(0);
  if (model.temperature == 0 && dial.is_object())
    model.temperature = dial.value("temperature", 0.0);
}

Trained train_with_refit(const Run& run, const data::Dataset& data) {
  const Selection selection = select_epoch(run, data);
  const data::Dataset all = data::merge_into_train(data, is_log(run.request));
  run.observer.on_message(fmt::format("refit: training on all {} interactions for {} epochs",
                                      all.interactions(), selection.best_epoch));
  const Settings again = refit_settings(run.settings, selection);
  Training training = train_phase(run, {all, again, run_files::kRefitCheckpoint, selection.events});
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
  return {std::move(training.model), std::move(result)};
}

Trained train_once(const Run& run, const data::Dataset& data) {
  Training training = train_phase(run, {data, run.settings, run_files::kCheckpoint, {}});
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
  return {std::move(training.model), std::move(result)};
}

void check_together(const Settings& settings) {
  const bool whole = settings.text("split") == data::kNoSplit;
  if (whole && settings.flag("refit")) {
    fail_config("--refit chooses the epoch on validation, and --split none leaves none; give one");
  }
  if (whole && !settings.is_set("epochs")) {
    fail_config(
        "--split none trains on everything, so nothing tells when to stop; give --epochs N, or "
        "--refit instead, which finds it");
  }
  const Field& epochs = settings.field("extractor-epochs");
  if (settings.text("extractor") == "classes" &&
      settings.value(epochs.name) != epochs.default_value) {
    fail_config(
        "--extractor-epochs is {}, but --extractor classes has no epochs; leave it out or give "
        "--extractor sampled",
        settings.integer(epochs.name));
  }
}

// The options as they will be used; a wrong one must be told before anything is read or written.
Settings resolved(const Settings& given, Observer& observer) {
  Settings settings = given;
  resolve_defaults(settings);
  check_together(settings);
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  if (loss.make_batch != nullptr &&
      (settings.text("negatives") != "1" || settings.flag("shared-negatives"))) {
    observer.on_message(
        fmt::format("loss {} compares one negative with each positive: "
                    "--negatives {} is taken as 1",
                    loss.name, settings.text("negatives")));
    settings.set("negatives", std::string_view("1"));
    settings.set("shared-negatives", Value(false));
  }
  train_options(settings);
  return settings;
}

void describe_data(const data::Dataset& data, bool held_out, Observer& observer) {
  observer.on_message(
      fmt::format("{}: {} users, {} items, {} training interactions, validation {}{}", data.name,
                  data.user_count(), data.item_count(), data.interactions(),
                  data.valid.interactions(), held_out ? " (held out of train)" : ""));
  std::size_t full = 0;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    if (data.items_of.count(u) == data.item_count()) ++full;
  }
  if (full > 0) {
    observer.on_message(fmt::format("{} users own every item and take no part in training", full));
  }
}

// What a finished run says, where there is nothing to go on from and nothing has changed.
std::optional<FinishedRun> finished_before(const RunFolder& folder, const RunRequest& request,
                                           const Settings& settings, const data::Dataset& data) {
  if (!request.resume || !folder.has(run_files::kResult) || folder.has(run_files::kCheckpoint)) {
    return std::nullopt;
  }
  const std::string path = folder.file(run_files::kConfig);
  Settings then = run_settings();
  then.load_toml(path);
  resolve_defaults(then);
  check_same_settings(fixed_settings(then), settings, path);
  if (settings.integer("epochs") != then.integer("epochs")) {
    fail_config("{} has no checkpoint to go on from to epoch {}; train anew with --overwrite",
                folder.path(), settings.integer("epochs"));
  }
  FinishedRun run{model::load_model(folder.file(run_files::kModel)), {}};
  const data::Dataset trained =
      settings.flag("refit") ? data::merge_into_train(data, is_log(request)) : data;
  if (run.model.origin.fingerprint != data::fingerprint(trained)) {
    fail_config("the data is not what {} was made from; start anew with --overwrite",
                folder.path());
  }
  run.result = read_result(folder.file(run_files::kResult));
  return run;
}

FinishedRun record(const RunRequest& request, const Settings& settings, RunFolder& folder,
                   Trained trained) {
  json& result = trained.result;
  for (const auto& [name, text] : request.notes) trained.model.notes[name] = text;
  result["peak_memory_bytes"] = peak_memory();
  result["fingerprint"] = trained.model.origin.fingerprint;
  result["held_out_share"] = held_out_share(trained.model);
  if (!request.data.empty()) result["data"] = absolute_path(request.data);
  result["config"] = config_json(settings);
  if (folder.writes()) {
    model::save_model(trained.model, folder.file(run_files::kModel));
    io::write_file_atomically(folder.file(run_files::kResult), io::dump_json(result, 2) + "\n");
    folder.finish();
  }
  return {std::move(trained.model), std::move(result)};
}

FinishedRun finish_run(const RunRequest& request, const data::Dataset& data, Settings settings,
                       Threads& threads, Observer& observer, const std::atomic<bool>& stop) {
  fit_to_data(settings, data.interactions(), data.user_count());
  if (settings.flag("refit") && data.valid.interactions() == 0) {
    fail_config("--refit chooses the epoch on validation, but there is none; give --validation");
  }
  check_goal(train_options(settings), data);
  RunFolder folder = request.out.empty()
                         ? RunFolder()
                         : RunFolder(request.out, {request.resume, request.overwrite});
  if (auto before = finished_before(folder, request, settings, data)) return std::move(*before);
  try {
    const Run run{request, settings, folder, threads, observer, stop};
    return record(request, settings, folder,
                  settings.flag("refit") ? train_with_refit(run, data) : train_once(run, data));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) {
      folder.fail(io::dump_json(json{{"error", error.what()},
                                     {"data", absolute_path(request.data)},
                                     {"config", config_json(settings)}},
                                2) +
                  "\n");
    }
    throw;
  }
}

}  // namespace

json train_run(const RunRequest& request, const Settings& given, Observer& observer,
               const std::atomic<bool>& stop) {
  if (request.out.empty()) fail_config("--out is empty; name the run folder to write");
  return fit_model(request, given, observer, stop).result;
}

FinishedRun fit_model(const RunRequest& request, const Settings& given, Observer& observer,
                      const std::atomic<bool>& stop) {
  Settings settings = resolved(data::data_settings(request.data, given), observer);
  Threads threads(static_cast<int>(settings.integer("threads")));
  data::LoadReport report;
  const data::Dataset data = data::load_for_training(request.data, settings, threads, &report);
  for (const std::string& message : data::read_messages(report)) observer.on_message(message);
  describe_data(data, report.held_out_validation, observer);
  return finish_run(request, data, std::move(settings), threads, observer, stop);
}

FinishedRun fit_model(const RunRequest& request, data::Dataset given_data, const Settings& given,
                      Observer& observer, const std::atomic<bool>& stop) {
  Settings settings = resolved(given, observer);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const bool had_validation = given_data.valid.interactions() > 0;
  const bool whole = request.log_in_memory && settings.text("split") == data::kNoSplit;
  const data::Dataset data =
      data::hold_out_validation(std::move(given_data), whole ? 0.0 : settings.number("validation"),
                                static_cast<std::uint64_t>(settings.integer("seed")));
  describe_data(data, !had_validation && !whole, observer);
  return finish_run(request, data, std::move(settings), threads, observer, stop);
}

}  // namespace evenkeel::train
