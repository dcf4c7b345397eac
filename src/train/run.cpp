// In: a request. Out: a run folder. This file is the way of the data:
// read -> dataset -> split -> for each epoch { ... } -> evaluate -> record.
#include "train/run.h"

#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/load.h"
#include "eval/evaluate.h"
#include "io/atomic_file.h"
#include "loss/registry.h"
#include "model/model.h"
#include "train/checkpoint.h"
#include "train/trainer.h"

namespace evenkeel {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Folder {
  std::string path;  // empty: the run stays in memory
  bool writes() const { return !path.empty(); }
  std::string file(std::string_view name) const { return path + "/" + std::string(name); }
  bool has(std::string_view name) const { return fs::exists(file(name)); }
};

Folder open_folder(const RunRequest& request) {
  if (request.out.empty()) return {};
  std::error_code failure;
  fs::create_directories(request.out, failure);
  if (failure) {
    fail_run("{}: cannot make the run folder: {}; choose another --out", request.out,
             failure.message());
  }
  const Folder folder{request.out};
  if (folder.has("result.json") && !request.resume && !request.overwrite) {
    fail_config("{} holds a finished run; choose another --out, or give --overwrite or --resume",
                request.out);
  }
  return folder;
}

std::string absolute_path(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Dataset with_validation(Dataset data, const Settings& settings, Observer& observer) {
  const bool had_validation = data.valid.interactions() > 0;
  data = hold_out_validation(std::move(data), settings.number("validation"),
                             static_cast<std::uint64_t>(settings.integer("seed")));
  observer.on_message(
      fmt::format("{}: {} users, {} items, {} training interactions, validation {}{}", data.name,
                  data.user_count(), data.item_count(), data.interactions(),
                  data.valid.interactions(), had_validation ? "" : " (held out of train)"));
  std::size_t full = 0;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    if (data.items_of.count(u) == data.item_count()) ++full;
  }
  if (full > 0) {
    observer.on_message(fmt::format("{} users own every item and take no part in training", full));
  }
  return data;
}

// Items by popularity need no training: one-dimensional vectors whose dot product is p_i.
Model popular_model(const Dataset& data) {
  Model model;
  model.users = Matrix(data.user_count(), 1);
  model.items = Matrix(data.item_count(), 1);
  for (std::size_t u = 0; u < data.user_count(); ++u) model.users.row(u)[0] = 1;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    model.items.row(i)[0] = static_cast<float>(data.item_popularity[i]);
  }
  model.score = Score::kDot;
  return model;
}

void write_events(const Folder& folder, const Standing& standing) {
  if (!folder.writes()) return;
  std::string lines;
  for (const std::string& event : standing.events) lines += event + "\n";
  write_file_atomically(folder.file("events.jsonl"), lines);
}

void append_event(const Folder& folder, const std::string& event) {
  if (!folder.writes()) return;
  append_line(folder.file("events.jsonl"), event);
}

// Trains to the end. When stopped it throws kInterrupted after a checkpoint; in memory, where
// nothing could go on later, it keeps what it has.
void train_epochs(Trainer& trainer, const Dataset& data, const std::string& data_path,
                  const Settings& settings, const Folder& folder, Observer& observer,
                  const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  const double interval = settings.number("checkpoint-seconds");
  const std::string path = folder.file("checkpoint.safetensors");
  auto last_checkpoint = Clock::now();
  while (!trainer.done()) {
    try {
      trainer.run_epoch(observer, stop);
    } catch (const Error& error) {  // the report tells why there is no result
      append_event(
          folder,
          json{{"epoch", trainer.standing().epoch}, {"failed", error.what()}, {"data", data_path}}
              .dump());
      throw;
    }
    if (trainer.interrupted() && !folder.writes()) return;
    if (trainer.interrupted()) {
      save_checkpoint(trainer, settings, data, path);
      throw Error(ErrorKind::kInterrupted, fmt::format("stopped in epoch {}; the checkpoint is {}",
                                                       trainer.standing().epoch, path));
    }
    append_event(folder, trainer.standing().events.back());
    const double waited = std::chrono::duration<double>(Clock::now() - last_checkpoint).count();
    if (folder.writes() && interval >= 0 && (waited >= interval || trainer.done())) {
      save_checkpoint(trainer, settings, data, path);
      last_checkpoint = Clock::now();
    }
  }
}

Model trained_model(TrainedVectors trained, json& chosen) {
  Model model;
  model.users = std::move(trained.users);
  model.items = std::move(trained.items);
  model.score = trained.score;
  model.extra_tables = std::move(trained.extra);
  for (const auto& [name, value] : trained.parameters) {
    chosen[name] = value;
    model.notes[name] = fmt::format("{}", value);
  }
  return model;
}

void describe(Model& model, const Dataset& data, const Settings& settings) {
  model.user_ids = data.users;
  model.item_ids = data.items;
  model.known = data.items_of;
  model.item_popularity = data.item_popularity;
  model.user_popularity = data.user_popularity;
  model.notes["loss"] = settings.text("loss");
  model.notes["encoder"] = settings.text("encoder");
  model.notes["data"] = data.name;
}

void evaluate_parts(const Model& model, const Dataset& data, Threads& threads, json& result) {
  const EvaluateOptions options;
  const VectorView view{model.users, model.items, model.score};
  const auto one = [&](const Part& part) {
    if (part.interactions() == 0) return;
    const Evaluation evaluation = evaluate_part(view, data, part, options, threads);
    result["evaluations"][part.name] = to_json(evaluation, options.k);
    result["groups"][part.name] = groups_to_json(evaluation, options.k);
  };
  result["evaluations"] = json::object();
  result["groups"] = json::object();
  one(data.valid);
  for (const Part& test : data.tests) one(test);
}

json config_json(const Settings& settings) {
  json config = json::object();
  for (const Field* field : settings.fields()) {
    std::visit([&](const auto& value) { config[std::string(field->name)] = value; },
               settings.value(field->name));
  }
  return config;
}

json timing_json(const Standing& standing, double evaluate_seconds) {
  const double epochs = static_cast<double>(standing.events.size());
  return {
      {"train_seconds", standing.train_seconds},
      {"seconds_per_epoch", epochs > 0 ? standing.train_seconds / epochs : 0.0},
      {"samples_per_second", standing.train_seconds > 0
                                 ? static_cast<double>(standing.samples) / standing.train_seconds
                                 : 0.0},
      {"evaluate_seconds", standing.evaluate_seconds + evaluate_seconds}};
}

// The options as they will be used; a wrong one must be told before anything is read or written.
Settings resolved(const Settings& given, Observer& observer) {
  Settings settings = given;
  resolve_defaults(settings);
  const LossEntry& loss = find_loss(settings.text("loss"));
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

struct Training {
  Model model;
  Standing standing;
};

Training train_model(const RunRequest& request, const Dataset& data, const Settings& settings,
                     const Folder& folder, Threads& threads, json& chosen, Observer& observer,
                     const std::atomic<bool>& stop) {
  Training training;
  if (!find_loss(settings.text("loss")).trains()) {
    write_events(folder, training.standing);
    training.model = popular_model(data);
    return training;
  }
  Trainer trainer(data, settings, threads);
  if (request.resume && folder.writes() && folder.has("checkpoint.safetensors")) {
    restore_checkpoint(trainer, settings, data, folder.file("checkpoint.safetensors"));
    observer.on_message(fmt::format("going on in epoch {}", trainer.standing().epoch));
  } else {
    if (folder.writes()) fs::remove(folder.file("checkpoint.safetensors"));
    trainer.prepare(observer, stop, request.extractors);
  }
  write_events(folder, trainer.standing());
  const std::string data_path = request.data.empty() ? "" : absolute_path(request.data);
  train_epochs(trainer, data, data_path, settings, folder, observer, stop);
  training.model = trained_model(trainer.result(observer), chosen);
  training.standing = trainer.standing();
  return training;
}

FinishedRun finish_run(const RunRequest& request, Dataset loaded, Settings settings,
                       Threads& threads, Observer& observer, const std::atomic<bool>& stop) {
  const Dataset data = with_validation(std::move(loaded), settings, observer);
  fit_to_data(settings, data.interactions());
  const Folder folder = open_folder(request);
  if (folder.writes()) {
    fs::remove(folder.file("result.json"));
    write_file_atomically(folder.file("config.toml"), settings.to_toml());
  }
  json result{{"chosen", json::object()}};  // what a method chose on validation after training
  Training training =
      train_model(request, data, settings, folder, threads, result["chosen"], observer, stop);
  const auto start = std::chrono::steady_clock::now();
  describe(training.model, data, settings);
  if (folder.writes()) save_model(training.model, folder.file("model.safetensors"));
  evaluate_parts(training.model, data, threads, result);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result["best_epoch"] = training.standing.best_epoch;
  result["epochs"] = training.standing.events.size();
  result["timing"] = timing_json(training.standing, seconds);
  result["peak_memory_bytes"] = peak_memory();
  if (!request.data.empty()) result["data"] = absolute_path(request.data);
  result["config"] = config_json(settings);
  if (folder.writes()) {
    write_file_atomically(folder.file("result.json"), result.dump(2) + "\n");
  }
  return {std::move(training.model), std::move(result)};
}

}  // namespace

json train_run(const RunRequest& request, const Settings& given, Observer& observer,
               const std::atomic<bool>& stop) {
  if (request.out.empty()) fail_config("--out is empty; name the run folder to write");
  return fit_model(request, given, observer, stop).result;
}

FinishedRun fit_model(const RunRequest& request, const Settings& given, Observer& observer,
                      const std::atomic<bool>& stop) {
  Settings settings = resolved(given, observer);
  Threads threads(static_cast<int>(settings.integer("threads")));
  Dataset data = load_data(request.data, settings, threads);
  return finish_run(request, std::move(data), std::move(settings), threads, observer, stop);
}

FinishedRun fit_model(const RunRequest& request, Dataset data, const Settings& given,
                      Observer& observer, const std::atomic<bool>& stop) {
  Settings settings = resolved(given, observer);
  Threads threads(static_cast<int>(settings.integer("threads")));
  return finish_run(request, std::move(data), std::move(settings), threads, observer, stop);
}

}  // namespace evenkeel
