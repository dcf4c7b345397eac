// In: tables, moments, counters, standing. Out: one file, and back.
#include "train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/safetensors.h"

namespace evenkeel {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kFreeOptions{"threads", "epochs", "patience",
                                                       "checkpoint-seconds"};

std::string_view side_name(Side side) {
  return side == Side::kUser ? "user" : "item";
}

json standing_json(const TrainingState& standing) {
  return {{"epoch", standing.epoch},
          {"epoch_loss", standing.totals.loss},
          {"epoch_samples", standing.totals.samples},
          {"epoch_capped", standing.totals.capped},
          {"epoch_seconds", standing.epoch_seconds},
          {"best_recall", standing.best_recall},
          {"best_epoch", standing.best_epoch},
          {"without_gain", standing.without_gain},
          {"train_seconds", standing.train_seconds},
          {"evaluate_seconds", standing.evaluate_seconds},
          {"samples", standing.samples},
          {"events", standing.events}};
}

TrainingState standing_of(const json& stored) {
  TrainingState standing;
  standing.epoch = stored.at("epoch").get<int>();
  standing.totals.loss = stored.at("epoch_loss").get<double>();
  standing.totals.samples = stored.at("epoch_samples").get<std::size_t>();
  standing.totals.capped = stored.at("epoch_capped").get<std::size_t>();
  standing.epoch_seconds = stored.at("epoch_seconds").get<double>();
  standing.best_recall = stored.at("best_recall").get<double>();
  standing.best_epoch = stored.at("best_epoch").get<int>();
  standing.without_gain = stored.at("without_gain").get<int>();
  standing.train_seconds = stored.at("train_seconds").get<double>();
  standing.evaluate_seconds = stored.at("evaluate_seconds").get<double>();
  standing.samples = stored.at("samples").get<std::size_t>();
  standing.events = stored.at("events").get<std::vector<std::string>>();
  return standing;
}

void restore_matrix(const SafetensorsFile& file, const std::string& name, Matrix& into,
                    const std::string& path) {
  Matrix stored = file.matrix(name);
  if (stored.rows() != into.rows() || stored.dim() != into.dim()) {
    fail_data("{}: table {} is {} x {}, this data set needs {} x {}; start anew without --resume",
              path, name, stored.rows(), stored.dim(), into.rows(), into.dim());
  }
  into = std::move(stored);
}

}  // namespace

bool is_free_option(std::string_view name) {
  return std::find(kFreeOptions.begin(), kFreeOptions.end(), name) != kFreeOptions.end();
}

json fixed_settings(const Settings& settings) {
  json all = json::object();
  for (const Field* field : settings.fields()) {
    if (is_free_option(field->name)) continue;
    all[std::string(field->name)] = to_text(settings.value(field->name));
  }
  return all;
}

void check_same_settings(const json& then, const Settings& settings, const std::string& path) {
  const json now = fixed_settings(settings);
  for (const auto& [name, value] : now.items()) {
    const std::string before = then.value(name, "");
    if (before != value.get<std::string>()) {
      fail_config(
          "--{} is {} but {} was made with {}; resume with the same settings or start "
          "anew without --resume",
          name, value.get<std::string>(), path, before);
    }
  }
}

std::string checkpoint_source(const std::string& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const auto found = file.metadata().find("source");
  return found != file.metadata().end() ? found->second : "";
}

void save_checkpoint(Trainer& trainer, const Settings& settings, const Dataset& data,
                     const std::string& source, const std::string& path) {
  SafetensorsWriter writer;
  std::vector<std::uint32_t> steps;
  for (const Side side : {Side::kUser, Side::kItem}) {
    const std::string prefix(side_name(side));
    writer.add(prefix + ".table", trainer.encoder().table(side));
    const OptimizerState state = trainer.optimizer(side).state();
    for (const auto& [name, matrix] : state.matrices) writer.add(prefix + "." + name, *matrix);
    for (const auto& [name, counter] : state.counters) writer.add(prefix + "." + name, *counter);
    steps.push_back(*state.step);
    if (!trainer.best(side).empty()) writer.add(prefix + ".best", trainer.best(side));
  }
  writer.add("steps", steps);
  if (!trainer.extractor().users.empty()) {
    writer.add("extractor.user", trainer.extractor().users);
    writer.add("extractor.item", trainer.extractor().items);
  }
  writer.metadata("format", "evenkeel checkpoint 1");
  writer.metadata("settings", fixed_settings(settings).dump());
  writer.metadata("source", source);
  writer.metadata("data", fingerprint(data));
  writer.metadata("standing", standing_json(trainer.standing()).dump());
  writer.write(path);
}

void restore_checkpoint(Trainer& trainer, const Settings& settings, const Dataset& data,
                        const std::string& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  try {
    const auto& notes = file.metadata();
    check_same_settings(json::parse(notes.at("settings")), settings, path);
    if (notes.at("data") != fingerprint(data)) {
      fail_config("the data is not what {} was made from; start anew without --resume", path);
    }
    const std::vector<std::uint32_t> steps = file.vector<std::uint32_t>("steps");
    if (steps.size() != 2) fail_data("{}: array steps is damaged; start anew", path);
    for (const Side side : {Side::kUser, Side::kItem}) {
      const std::string prefix(side_name(side));
      restore_matrix(file, prefix + ".table", trainer.encoder().table(side), path);
      const OptimizerState state = trainer.optimizer(side).state();
      for (const auto& [name, matrix] : state.matrices) {
        restore_matrix(file, prefix + "." + name, *matrix, path);
      }
      for (const auto& [name, counter] : state.counters) {
        const std::size_t size = counter->size();
        *counter = file.vector<std::uint32_t>(prefix + "." + name);
        if (counter->size() != size) fail_data("{}: array {} is damaged; start anew", path, name);
      }
      *state.step = steps[side == Side::kUser ? 0 : 1];
      if (file.has(prefix + ".best")) trainer.best(side) = file.matrix(prefix + ".best");
    }
    ExtractorTables extractor;
    if (file.has("extractor.user")) {
      extractor = {file.matrix("extractor.user"), file.matrix("extractor.item")};
    }
    trainer.standing() = standing_of(json::parse(notes.at("standing")));
    trainer.prepare(std::move(extractor));
  } catch (const json::exception& damage) {
    fail_data("{}: the checkpoint is damaged ({}); start anew without --resume", path,
              damage.what());
  } catch (const std::out_of_range&) {
    fail_data("{}: this is not an evenkeel checkpoint; start anew without --resume", path);
  }
}

}  // namespace evenkeel
