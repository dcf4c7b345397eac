// In: a request. Out: a run folder. This file is the way of the data:
// read -> dataset -> split -> for each epoch { ... } -> evaluate -> record.
#include "train/run.h"

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/seconds.h"
#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "data/load.h"
#include "data/prepared.h"
#include "data/read_messages.h"
#include "data/reader.h"
#include "data/split.h"
#include "encoder/registry.h"
#include "eval/test_parts.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "loss/registry.h"
#include "model/model.h"
#include "model/save_held.h"
#include "train/checkpoint.h"
#include "train/goal_choice.h"
#include "train/model_observer.h"
#include "train/rank_checks.h"
#include "train/rate_schedule.h"
#include "train/row_stream.h"
#include "train/run_folder.h"
#include "train/run_result.h"
#include "train/selection.h"
#include "train/trainer.h"
#include "train/warm_start.h"

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
  cluster::Cluster& ranks;
  const model::Model* start;  // of --from: the rows to begin with; null: at random
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

// Items by popularity need no training: one-dimensional vectors whose dot product is p_i, or the
// weight of the item's pairs.
model::Model popular_model(const data::Dataset& data) {
  model::Model model;
  model.users = Matrix(data.user_count(), 1);
  model.items = Matrix(data.item_count(), 1);
  for (std::size_t u = 0; u < data.user_count(); ++u) model.users.row(u)[0] = 1;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    model.items.row(i)[0] = static_cast<float>(data.item_popularity[i]);
  }
  if (!data.items_of.weights.empty()) {
    std::vector<double> sums(data.item_count(), 0.0);
    for (std::size_t n = 0; n < data.items_of.size(); ++n) {
      sums[data.items_of.columns[n]] += double{data.items_of.weights[n]};
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      model.items.row(i)[0] = static_cast<float>(sums[i]);
    }
  }
  model.score = model::Score::kDot;
  return model;
}

// The folder keeps the rows that a training of --from begins with: --resume, also of a refit's
// second half, must not need the other run.
void keep_start(const Run& run, bool anew) {
  if (run.start == nullptr || !run.folder.writes()) return;
  if (!anew && run.folder.has(run_files::kStart)) return;
  model::save_model(*run.start, run.folder.file(run_files::kStart));
}

// What changes the folder is the first rank's; if it fails, all do.
void begin(const Run& run, bool anew) {
  cluster::on_first_rank(run.ranks, [&] {
    run.folder.begin(anew, config_text(run.settings, run.request.data));
    keep_start(run, anew);
  });
}

void write_events(const Run& run, const std::vector<std::string>& earlier,
                  const TrainingState& state) {
  if (run.folder.in_memory()) return;
  std::string lines;
  for (const std::string& event : earlier) lines += event + "\n";
  for (const std::string& event : state.events) lines += event + "\n";
  cluster::on_first_rank(
      run.ranks, [&] { io::write_file_atomically(run.folder.file(run_files::kEvents), lines); });
}

void append_event(const Run& run, const std::string& event) {
  if (run.folder.in_memory()) return;
  cluster::on_first_rank(run.ranks,
                         [&] { io::append_line(run.folder.file(run_files::kEvents), event); });
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

// Passes news on, with the model as it stands for an observer that looks at it.
class EpochObserver final : public Observer {
 public:
  EpochObserver(Trainer& trainer, const Run& run, const Phase& phase)
      : trainer_(trainer),
        run_(run),
        phase_(phase),
        asker_(run.ranks.alone() ? dynamic_cast<ModelObserver*>(&run.observer) : nullptr) {}
  void on_message(std::string_view sentence) override { run_.observer.on_message(sentence); }
  void on_step(const StepProgress& news) override { run_.observer.on_step(news); }
  bool on_epoch(const EpochProgress& news) override {
    if (asker_ == nullptr) return run_.observer.on_epoch(news);
    asker_->snapshot = [this] { return current_model(); };
    const bool stop = asker_->on_epoch(news);
    asker_->snapshot = nullptr;
    return stop;
  }

 private:
  model::Model current_model() {
    json chosen;
    model::Model model = trained_model(trainer_.current(), chosen);
    describe_model(model, phase_.data, run_.settings, run_.request.data);
    for (const auto& [name, text] : run_.request.notes) model.notes[name] = text;
    return model;
  }
  Trainer& trainer_;
  const Run& run_;
  const Phase& phase_;
  ModelObserver* asker_;
};

// Trains to the end. When stopped it throws kInterrupted after a checkpoint; in memory, where
// nothing could go on later, it keeps what it has.
void train_epochs(Trainer& trainer, const Run& run, const Phase& phase) {
  const double interval = phase.settings.number("checkpoint-seconds");
  const std::string path = run.folder.file(phase.checkpoint);
  const auto save = [&] {
    save_checkpoint(trainer, phase.settings, phase.data, absolute_path(run.request.data), path,
                    run.ranks);
  };
  auto last_checkpoint = Clock::now();
  EpochObserver observer(trainer, run, phase);
  while (!trainer.done()) {
    trainer.run_epoch(observer, run.stop);
    if (trainer.interrupted() && run.folder.in_memory()) return;
    if (trainer.interrupted()) {
      save();
      throw Error(ErrorKind::kInterrupted, fmt::format("stopped in epoch {}; the checkpoint is {}",
                                                       trainer.state().epoch, path));
    }
    append_event(run, trainer.state().events.back());
    const double waited = seconds_since(last_checkpoint);
    const bool due = run.folder.writes() && interval >= 0 && (waited >= interval || trainer.done());
    if (cluster::any(run.ranks, due)) {  // as the first rank's clock says
      save();
      last_checkpoint = Clock::now();
    }
  }
  // Where the training began from a checkpoint of another folder and had nothing left to do.
  const bool missing = run.folder.writes() && interval >= 0 && !run.folder.has(phase.checkpoint);
  if (cluster::any(run.ranks, missing)) save();
}

// The checkpoint to go on from; empty: train from the beginning.
std::string checkpoint_to_restore(const Run& run, const Phase& phase) {
  std::string path = phase.checkpoint == run_files::kCheckpoint ? run.request.start_from : "";
  if (run.request.resume && run.folder.has(phase.checkpoint)) {
    path = run.folder.file(phase.checkpoint);
  }
  return cluster::text_of_first(run.ranks, std::move(path));
}

// What the ranks had to tell each other: docs/scale.md has the model behind it.
void say_traffic(const Run& run, Trainer& trainer) {
  if (run.ranks.alone()) return;
  run.observer.on_message(
      fmt::format("{} ranks: rank 0 received {:.1f} MB from the others by step {}",
                  run.ranks.size(), static_cast<double>(run.ranks.received_bytes()) / 1e6,
                  *trainer.optimizer(Side::kItem).state().step));
}

// The first thing that changes the folder is begin(): until then a wrong checkpoint, wrong settings
// or other data are refused.
Training train_phase(const Run& run, const Phase& phase) {
  const std::string source = checkpoint_to_restore(run, phase);
  const bool anew = source.empty() && phase.earlier.empty();
  Training training;
  if (!loss::find_loss(phase.settings.text("loss")).trains()) {
    begin(run, anew);
    write_events(run, phase.earlier, training.state);
    training.model = popular_model(phase.data);
    return training;
  }
  Trainer trainer(phase.data, phase.settings, run.threads, run.ranks);
  trainer.slow_down_after(slowed_epochs(phase.earlier));
  if (!source.empty()) {
    cluster::together(run.ranks,
                      [&] { restore_checkpoint(trainer, phase.settings, phase.data, source); });
    trainer.forget_others_rows();
    run.observer.on_message(fmt::format("going on in epoch {}", trainer.state().epoch));
  } else if (run.start != nullptr) {
    start_from_rows(*run.start, phase.data, trainer, run.threads, run.ranks);
    trainer.forget_others_rows();
  }
  begin(run, anew);
  if (source.empty()) trainer.prepare(run.observer, run.stop, run.request.extractors);
  write_events(run, phase.earlier, trainer.state());
  train_epochs(trainer, run, phase);
  say_traffic(run, trainer);
  training.model = trained_model(trainer.result(run.observer), training.chosen);
  training.state = trainer.state();
  return training;
}

// How much popularity the goal wants out of the rankings, measured on validation.
void choose_correction(const Run& run, const data::Dataset& data, Training& training) {
  const TrainOptions options = train_options(run.settings);
  training.dial =
      choose_correction(training.model, data, options, run.threads, run.observer, run.ranks);
  if (!options.debias) training.chosen["debias"] = training.model.debias;
}

json figures_of(const Run& run, model::Model& model, const data::Dataset& data) {
  return evaluations_of(model, data, train_options(run.settings).evaluation_users, run.threads,
                        run.observer, run.ranks);
}

// The first half of a refit: which epoch, and the figures that only an untouched part can give.
Selection select_epoch(const Run& run, const data::Dataset& data) {
  const std::string path = run.folder.file(run_files::kSelection);
  const bool selected = run.request.resume && run.folder.has(run_files::kSelection);
  if (cluster::any(run.ranks, selected)) {
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

// Pairs by item are as large as pairs by user, and few methods read them.
void keep_what_trains(data::Dataset& data, const Settings& settings) {
  const bool wanted = loss::find_loss(settings.text("loss")).reads_users_of ||
                      encoder::find_encoder(settings.text("encoder")).reads_users_of ||
                      !settings.text("from").empty();
  if (!wanted) data.users_of = {};
}

Trained train_with_refit(const Run& run, const data::Dataset& data) {
  const Selection selection = select_epoch(run, data);
  data::Dataset all = data::merge_into_train(data, is_log(run.request));
  keep_what_trains(all, run.settings);
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
  if (!settings.text("from").empty()) {
    settings.set("from", Value(absolute_path(settings.text("from"))));
  }
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

// The rows of --from: the run's own copy when it goes on, since the other may be gone by now.
std::optional<model::Model> start_of(const RunRequest& request, const Settings& settings) {
  const std::string& run = settings.text("from");
  if (run.empty()) return std::nullopt;
  const std::string place = training_place(request.out);
  if (!request.resume || !has_run_file(place, run_files::kStart)) {
    return starting_rows(run, settings);
  }
  model::Model rows = model::load_model(run_file(place, run_files::kStart));
  check_starting_rows(rows, settings, run);
  return rows;
}

// Rows of users come from the ranks that hold them, a few at a time.
void save_model_of_ranks(const model::Model& model, const std::string& path,
                         cluster::Cluster& ranks) {
  RowStream stream(ranks);
  auto users = stream.add(model.users, cluster::row_cuts(ranks, model.users));
  std::exception_ptr failure;
  try {
    if (ranks.first()) model::save_model(model, path, std::move(users));
  } catch (const Error&) {
    failure = std::current_exception();
  }
  stream.finish();
  cluster::on_first_rank(ranks, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

FinishedRun record(const RunRequest& request, const Settings& settings, RunFolder& folder,
                   const model::Model* start, Trained trained) {
  json& result = trained.result;
  if (start != nullptr) {
    const model::Model& model = trained.model;
    result["from"] = start_json(settings.text("from"), *start,
                                start_cover(*start, model.user_ids, model.item_ids));
  }
  for (const auto& [name, text] : request.notes) trained.model.notes[name] = text;
  result["peak_memory_bytes"] = peak_memory();
  result["fingerprint"] = trained.model.origin.fingerprint;
  result["held_out_share"] = held_out_share(trained.model);
  if (!request.data.empty()) result["data"] = absolute_path(request.data);
  result["config"] = config_json(settings);
  const bool held = !trained.model.users.holds_all();
  if (held && cluster::any(*request.ranks, folder.writes())) {
    save_model_of_ranks(trained.model, folder.file(run_files::kModel), *request.ranks);
  }
  cluster::on_first_rank(*request.ranks, [&] {
    if (!folder.writes()) return;
    if (!held) model::save_model(trained.model, folder.file(run_files::kModel));
    io::write_file_atomically(folder.file(run_files::kResult), io::dump_json(result, 2) + "\n");
    folder.finish();
  });
  return {std::move(trained.model), std::move(result)};
}

void open_folder(const RunRequest& request, std::optional<RunFolder>& folder) {
  cluster::Cluster& ranks = *request.ranks;
  if (request.out.empty()) {
    folder.emplace();
    return;
  }
  cluster::on_first_rank(ranks, [&] {
    folder.emplace(request.out, FolderUse{request.resume, request.overwrite});
  });
  const std::string path = cluster::text_of_first(ranks, folder ? folder->path() : "");
  if (!folder) folder.emplace(RunFolder::OfFirstRank{path});
}

// What the rows of --from know is not held out, and somebody of them must be there.
data::Dataset fitted_to_start(data::Dataset data, const model::Model& start, CutHere cut,
                              const std::string& run, Observer& observer) {
  const StartCover cover = start_cover(start, data.users, data.items);
  if (cover.users + cover.items == 0) {
    fail_data("{}: it has no user and no item of --from {}; leave --from out", data.name, run);
  }
  observer.on_message(fmt::format("starting from {}: it has {} of {} users and {} of {} items", run,
                                  cover.users, data.user_count(), cover.items, data.item_count()));
  return keep_known_in_training(std::move(data), start, cut, run, observer);
}

FinishedRun finish_run(const RunRequest& request, const data::Dataset& data, Settings settings,
                       const std::optional<model::Model>& start, Threads& threads,
                       Observer& observer, const std::atomic<bool>& stop) {
  fit_to_data(settings, data.interactions(), data.item_count());
  if (settings.flag("refit") && data.valid.interactions() == 0) {
    fail_config("--refit chooses the epoch on validation, but there is none; give --validation");
  }
  check_goal(train_options(settings), data);
  std::optional<RunFolder> place;
  open_folder(request, place);
  RunFolder& folder = *place;
  std::optional<FinishedRun> before;
  cluster::on_first_rank(*request.ranks,
                         [&] { before = finished_before(folder, request, settings, data); });
  if (cluster::any(*request.ranks, before.has_value())) {
    return before ? std::move(*before) : FinishedRun{{}, json::object()};
  }
  try {
    const model::Model* rows = start ? &*start : nullptr;
    const Run run{request, settings, folder, threads, observer, stop, *request.ranks, rows};
    return record(request, settings, folder, rows,
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
  std::optional<Settings> made;
  cluster::together(*request.ranks,
                    [&] { made = resolved(data::data_settings(request.data, given), observer); });
  Settings& settings = *made;
  check_ranks(request, settings);
  std::optional<model::Model> start;
  cluster::together(*request.ranks, [&] { start = start_of(request, settings); });
  Threads threads(static_cast<int>(settings.integer("threads")));
  data::LoadReport report;
  data::Dataset data;
  cluster::together(*request.ranks, [&] {
    data = data::load_for_training(request.data, settings, threads, &report);
  });
  if (!request.ranks->alone()) {
    cluster::check_alike(*request.ranks, {{"the data's fingerprint", data::fingerprint(data)}});
  }
  for (const std::string& message : data::read_messages(report)) observer.on_message(message);
  describe_data(data, report.held_out_validation, observer);
  if (start) {
    const bool log = is_log(request);
    cluster::together(*request.ranks, [&] {
      data = fitted_to_start(std::move(data), *start, {log || report.held_out_validation, log},
                             settings.text("from"), observer);
    });
  }
  keep_what_trains(data, settings);
  return finish_run(request, data, std::move(settings), start, threads, observer, stop);
}

FinishedRun fit_model(const RunRequest& request, data::Dataset given_data, const Settings& given,
                      Observer& observer, const std::atomic<bool>& stop) {
  if (data::weighs_rows(given)) {
    fail_config(
        "--weight-column and --half-life read columns of a file, and this data comes from memory; "
        "give its weights with it");
  }
  Settings settings = resolved(given, observer);
  const std::optional<model::Model> start = start_of(request, settings);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const bool had_validation = given_data.valid.interactions() > 0;
  const bool whole = request.log_in_memory && settings.text("split") == data::kNoSplit;
  data::Dataset data =
      data::hold_out_validation(std::move(given_data), whole ? 0.0 : settings.number("validation"),
                                static_cast<std::uint64_t>(settings.integer("seed")));
  data::set_candidates(data, settings);
  describe_data(data, !had_validation && !whole, observer);
  if (start) {
    data = fitted_to_start(std::move(data), *start, {!had_validation, false}, settings.text("from"),
                           observer);
  }
  keep_what_trains(data, settings);
  return finish_run(request, data, std::move(settings), start, threads, observer, stop);
}

}  // namespace evenkeel::train
