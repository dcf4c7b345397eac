// In: a phase. Out: its model: restore or begin -> epochs with checkpoints -> the best epoch.
#include "train/phase.h"

#include <chrono>

#include "base/error.h"
#include "base/seconds.h"
#include "cluster/agreement.h"
#include "io/atomic_file.h"
#include "loss/registry.h"
#include "train/checkpoint.h"
#include "train/model_observer.h"
#include "train/rate_schedule.h"
#include "train/run_result.h"
#include "train/warm_start.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

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
void keep_start(const RunContext& run, bool anew) {
  if (run.start == nullptr || !run.folder.writes()) return;
  if (!anew && run.folder.has(run_files::kStart)) return;
  model::save_model(*run.start, run.folder.file(run_files::kStart));
}

// What changes the folder is the first rank's; if it fails, all do.
void begin(const RunContext& run, bool anew) {
  cluster::on_first_rank(run.ranks, [&] {
    if (!anew) {
      for (const Change& change : changes(run)) {
        run.observer.on_message(fmt::format("going on with --{} {} instead of {}", change.name,
                                            change.now, change.then));
      }
    }
    run.folder.begin(anew, config_text(run.settings, run.request.data));
    keep_start(run, anew);
  });
}

void write_events(const RunContext& run, const std::vector<std::string>& earlier,
                  const TrainingState& state) {
  if (run.folder.in_memory()) return;
  std::string lines;
  for (const std::string& event : earlier) lines += event + "\n";
  for (const std::string& event : state.events) lines += event + "\n";
  cluster::on_first_rank(
      run.ranks, [&] { io::write_file_atomically(run.folder.file(run_files::kEvents), lines); });
}

void append_event(const RunContext& run, const std::string& event) {
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
  EpochObserver(Trainer& trainer, const RunContext& run, const Phase& phase)
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
  const RunContext& run_;
  const Phase& phase_;
  ModelObserver* asker_;
};

// Trains to the end. When stopped it throws kInterrupted after a checkpoint; in memory, where
// nothing could go on later, it keeps what it has.
void train_epochs(Trainer& trainer, const RunContext& run, const Phase& phase) {
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
std::string checkpoint_to_restore(const RunContext& run, const Phase& phase) {
  std::string path = phase.checkpoint == run_files::kCheckpoint ? run.request.start_from : "";
  if (run.request.resume && run.folder.has(phase.checkpoint)) {
    path = run.folder.file(phase.checkpoint);
  }
  return cluster::text_of_first(run.ranks, std::move(path));
}

// A training is not cut shorter than it is: its record would say so, and the model would not.
void refuse_fewer_epochs(const RunContext& run, const Phase& phase, const TrainingState& state) {
  const std::size_t begun = state.events.size() + (state.totals.samples > 0 ? 1 : 0);
  const std::int64_t epochs = phase.settings.integer("epochs");
  if (epochs >= static_cast<std::int64_t>(begun)) return;
  fail_config(
      "--epochs is {}, but {} has trained {}; give {} or more, or start anew with "
      "--overwrite instead of --resume",
      epochs, run.request.out, begun, begun);
}

// What the ranks had to tell each other: docs/scale.md has the model behind it.
void say_traffic(const RunContext& run, Trainer& trainer) {
  if (run.ranks.alone()) return;
  run.observer.on_message(
      fmt::format("{} ranks: rank 0 received {:.1f} MB from the others by step {}",
                  run.ranks.size(), static_cast<double>(run.ranks.received_bytes()) / 1e6,
                  *trainer.optimizer(Side::kItem).state().step));
}

}  // namespace

std::vector<Change> changes(const RunContext& run) {
  if (!run.request.resume || !run.folder.has(run_files::kConfig)) return {};
  Settings before = run_settings();
  before.load_toml(run.folder.file(run_files::kConfig));
  std::vector<Change> all;
  for (const Field* field : run.settings.fields()) {
    const std::string then = to_text(before.value(field->name));
    const std::string now = to_text(run.settings.value(field->name));
    if (then != now && may_change(*field) && field->effect != Effect::kSpeed) {
      all.push_back({std::string(field->name), then, now});
    }
  }
  return all;
}

Training train_phase(const RunContext& run, const Phase& phase) {
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
    refuse_fewer_epochs(run, phase, trainer.state());
    const bool finished =
        run.request.resume && !run.request.stage && run.folder.has(run_files::kResult);
    if (cluster::any(run.ranks, finished) && trainer.done()) {
      training.idle = true;
      return training;
    }
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

}  // namespace evenkeel::train
