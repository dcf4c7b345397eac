// In: tables, moments, counters, state. Out: one file, and back.
#include "train/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <list>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "io/json_text.h"
#include "io/safetensors.h"
#include "train/row_stream.h"
#include "train/training_state_json.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "evenkeel checkpoint 1";
constexpr float kLargest = std::numeric_limits<float>::max();

std::string_view side_name(Side side) {
  return side == Side::kUser ? "user" : "item";
}

const std::string& note_of(const io::SafetensorsFile& file, const char* name,
                           const std::string& path) {
  const auto found = file.metadata().find(name);
  if (found == file.metadata().end()) fail_checkpoint(path, fmt::format("it has no '{}'", name));
  return found->second;
}

// The rows that are held here.
Matrix read_table(const io::SafetensorsFile& file, const std::string& name, std::size_t rows,
                  std::size_t dim, RowRange held, const std::string& path,
                  float least = -kLargest) {
  const auto& shape = file.shape(name);
  if (shape != std::vector<std::uint64_t>{rows, dim}) {
    fail_checkpoint(path, fmt::format("table '{}' is {} where {} x {} is needed", name,
                                      fmt::join(shape, " x "), rows, dim));
  }
  Matrix table = file.matrix(name, held);
  for (std::size_t r = held.begin; r < held.end; ++r) {
    for (const float value : table.values(r)) {
      if (value >= least && value <= kLargest) continue;  // not so for a NaN
      fail_checkpoint(path, fmt::format("table '{}' holds {} in row {}", name, value, r));
    }
  }
  return table;
}

Matrix read_table_like(const Matrix& like, const io::SafetensorsFile& file, const std::string& name,
                       const std::string& path, float least = -kLargest) {
  return read_table(file, name, like.rows(), like.dim(), like.held(), path, least);
}

Matrix read_whole_table(const io::SafetensorsFile& file, const std::string& name, std::size_t rows,
                        std::size_t dim, const std::string& path) {
  return read_table(file, name, rows, dim, {0, rows}, path);
}

std::uint32_t read_step(const io::SafetensorsFile& file, std::uint64_t wanted,
                        const std::string& path) {
  const std::vector<std::uint32_t> steps = file.vector<std::uint32_t>("steps");
  if (steps.size() != 2 || steps[0] != wanted || steps[1] != wanted) {
    fail_checkpoint(path, fmt::format("'steps' holds {} where {}, twice, is needed",
                                      fmt::join(steps, ", "), wanted));
  }
  return steps[0];
}

void restore_optimizer(const io::SafetensorsFile& file, const std::string& prefix,
                       std::uint32_t step, const std::string& path, optim::Optimizer& optimizer) {
  const optim::OptimizerState state = optimizer.state();
  for (const auto& [name, matrix] : state.matrices) {
    const auto& positive = state.never_negative;
    const bool square = std::find(positive.begin(), positive.end(), name) != positive.end();
    *matrix = read_table_like(*matrix, file, prefix + name, path, square ? 0 : -kLargest);
  }
  for (const auto& [name, counter] : state.counters) {
    std::vector<std::uint32_t> stored = file.vector<std::uint32_t>(prefix + name);
    const bool late = std::any_of(stored.begin(), stored.end(),
                                  [&](std::uint32_t value) { return value > step; });
    if (stored.size() != counter->size() || late) {
      fail_checkpoint(path, fmt::format("'{}{}' does not count {} rows up to step {}", prefix, name,
                                        counter->size(), step));
    }
    *counter = std::move(stored);
  }
  *state.step = step;
}

// The vectors of the best epoch, if there is one.
void restore_best(const io::SafetensorsFile& file, bool there_is, const std::string& path,
                  Trainer& trainer) {
  for (const Side side : {Side::kUser, Side::kItem}) {
    const std::string name = std::string(side_name(side)) + ".best";
    if (file.has(name) != there_is) {
      fail_checkpoint(
          path, fmt::format("its best epoch is {} and table '{}' is {}", trainer.state().best_epoch,
                            name, there_is ? "missing" : "there"));
    }
    if (!there_is) continue;
    const Matrix& like = trainer.encoder().vectors(side);
    trainer.best(side) =
        read_table(file, name, like.rows(), like.dim(), trainer.best_rows(side), path);
  }
}

// The running mean of the vectors, where the settings ask for one and it has begun.
void restore_average(const io::SafetensorsFile& file, const std::string& path, Trainer& trainer) {
  VectorAverage& average = trainer.average();
  if (file.has("average.count") && !average.on()) {
    fail_checkpoint(path, "it has an average that these settings do not use");
  }
  if (!file.has("average.count")) {
    if (average.on() && trainer.state().best_epoch > 0) {
      fail_checkpoint(path, "its average is missing");
    }
    return;
  }
  const std::vector<std::uint32_t> count = file.vector<std::uint32_t>("average.count");
  if (count.size() != 1 || count[0] == 0) {
    fail_checkpoint(path, "'average.count' is no number of validations");
  }
  average.count() = count[0];
  for (const Side side : {Side::kUser, Side::kItem}) {
    const Matrix& like = trainer.encoder().vectors(side);
    average.mean(side) =
        read_table_like(like, file, std::string(side_name(side)) + ".average", path);
  }
}

ExtractorTables read_extractor(const io::SafetensorsFile& file, const Trainer& trainer,
                               const data::Dataset& data, const Settings& settings,
                               const std::string& path) {
  const bool there_is = file.has("extractor.user") && file.has("extractor.item");
  if (there_is != trainer.wants_extractor()) {
    fail_checkpoint(path, there_is ? "it has an extractor that these settings do not use"
                                   : "its extractor is missing");
  }
  if (!there_is) return {};
  const auto dim = static_cast<std::size_t>(settings.integer("dim"));
  const ExtractorClasses classes = extractor_classes(data, settings);
  return {read_whole_table(file, "extractor.user", classes.users.values.size(), dim, path),
          read_whole_table(file, "extractor.item", classes.items.values.size(), dim, path)};
}

// A setting of a checkpoint, which may be older than the option.
std::string setting_then(const json& then, const Field& field, const std::string& path) {
  const auto found = then.find(std::string(field.name));
  if (found == then.end() && field.before) return to_text(*field.before);
  if (found == then.end() || !found->is_string()) {
    fail_checkpoint(path, fmt::format("its settings lack '{}'", field.name));
  }
  return found->get<std::string>();
}

std::vector<std::uint32_t> of_all_ranks(std::vector<std::uint32_t> counter,
                                        std::span<const std::size_t> cuts,
                                        cluster::Cluster& ranks) {
  std::vector<std::size_t> bytes;
  for (const std::size_t cut : cuts) bytes.push_back(cut * sizeof(std::uint32_t));
  if (!cuts.empty()) ranks.gather(counter.data(), bytes);
  return counter;
}

// The K-th scores of a loss that goes by them.
void restore_thresholds(const io::SafetensorsFile& file, const std::string& path,
                        Trainer& trainer) {
  const std::span<float> thresholds = trainer.thresholds();
  if (file.has("thresholds") == thresholds.empty()) {
    fail_checkpoint(path, thresholds.empty() ? "it has thresholds that these settings do not use"
                                             : "its thresholds are missing");
  }
  if (thresholds.empty()) return;
  const std::vector<float> stored = file.vector<float>("thresholds");
  const auto is_cosine = [](float value) { return value >= -1.001F && value <= 1.001F; };
  if (stored.size() != thresholds.size() || !std::all_of(stored.begin(), stored.end(), is_cosine)) {
    fail_checkpoint(path, fmt::format("'thresholds' does not hold {} cosines", thresholds.size()));
  }
  std::copy(stored.begin(), stored.end(), thresholds.begin());
}

void restore(const io::SafetensorsFile& file, const Settings& settings, const data::Dataset& data,
             const std::string& path, Trainer& trainer) {
  if (note_of(file, "format", path) != kFormat) {
    fail_checkpoint(path, "it does not call itself an evenkeel checkpoint of this version");
  }
  check_same_settings(io::parse_json(note_of(file, "settings", path)), settings, path);
  if (note_of(file, "data", path) != data::training_fingerprint(data)) {
    fail_config("the data is not what {} was made from; start anew without --resume", path);
  }
  const EpochShape shape{trainer.epoch_samples(), train_options(settings).batch,
                         data.valid.interactions() > 0};
  TrainingState& state = trainer.state();
  state = read_training_state(note_of(file, "standing", path), shape, path);
  const auto ended = static_cast<std::uint64_t>(state.epoch - 1);
  const std::uint32_t step =
      read_step(file, ended * shape.steps(shape.samples) + shape.steps(state.totals.samples), path);
  for (const Side side : {Side::kUser, Side::kItem}) {
    const std::string prefix = std::string(side_name(side)) + ".";
    Matrix& table = trainer.encoder().table(side);
    table = read_table_like(table, file, prefix + "table", path);
    restore_optimizer(file, prefix, step, path, trainer.optimizer(side));
  }
  trainer.repeat_slowing();
  restore_best(file, state.best_epoch > 0, path, trainer);
  restore_average(file, path, trainer);
  trainer.prepare(read_extractor(file, trainer, data, settings, path));
  restore_thresholds(file, path, trainer);
}

}  // namespace

bool may_change(const Field& field) {
  return field.effect != Effect::kResult && field.effect != Effect::kSeed;
}

json fixed_settings(const Settings& settings) {
  json all = json::object();
  for (const Field* field : settings.fields()) {
    if (may_change(*field)) continue;
    all[std::string(field->name)] = to_text(settings.value(field->name));
  }
  return all;
}

// Settings that differ are the user's to mend; settings that are missing are damage.
void check_same_settings(const json& then, const Settings& settings, const std::string& path) {
  if (!then.is_object()) fail_checkpoint(path, "its settings are no object");
  const json now = io::parse_json(io::dump_json(fixed_settings(settings)));  // as it was written
  for (const auto& [name, value] : now.items()) {
    const std::string before = setting_then(then, settings.field(name), path);
    if (before != value) {
      fail_config(
          "--{} is {} but {} was made with {}; resume with the same settings or start "
          "anew without --resume",
          name, value.get<std::string>(), path, before);
    }
  }
}

std::string checkpoint_source(const std::string& path) {
  const io::SafetensorsFile file = io::SafetensorsFile::open(path);
  const auto found = file.metadata().find("source");
  return found != file.metadata().end() ? found->second : "";
}

CheckpointTables checkpoint_tables(const std::string& path) {
  try {
    const io::SafetensorsFile file = io::SafetensorsFile::open(path);
    if (note_of(file, "format", path) != kFormat) {
      fail_checkpoint(path, "it does not call itself an evenkeel checkpoint of this version");
    }
    const auto table = [&](const std::string& name) {
      const auto& shape = file.shape(name);
      if (shape.size() != 2) fail_checkpoint(path, fmt::format("'{}' is no table", name));
      return read_whole_table(file, name, shape[0], shape[1], path);
    };
    return {table("user.table"), table("item.table"), note_of(file, "data", path)};
  } catch (const io::DamagedFile& file) {
    fail_checkpoint(path, file.damage());
  }
}

void save_checkpoint(Trainer& trainer, const Settings& settings, const data::Dataset& data,
                     const std::string& source, const std::string& path, cluster::Cluster& ranks) {
  io::SafetensorsWriter writer;
  RowStream stream(ranks);
  std::vector<std::uint32_t> steps;
  std::list<std::vector<std::uint32_t>> counters;  // of all ranks, on the first
  for (const Side side : {Side::kUser, Side::kItem}) {
    const std::string prefix(side_name(side));
    const auto cuts = trainer.encoder().owned_rows(side);
    // A table whose rows each rank moves itself, or has at all.
    const auto add_owned = [&](const std::string& name, const Matrix& table) {
      cuts.empty() ? writer.add(name, table) : writer.add(name, stream.add(table, cuts));
    };
    const auto add = [&](const std::string& name, const Matrix& table) {
      table.holds_all() ? writer.add(name, table)
                        : writer.add(name, stream.add(table, cluster::row_cuts(ranks, table)));
    };
    add_owned(prefix + ".table", trainer.encoder().table(side));
    const optim::OptimizerState state = trainer.optimizer(side).state();
    for (const auto& [name, matrix] : state.matrices) {
      add_owned(fmt::format("{}.{}", prefix, name), *matrix);
    }
    for (const auto& [name, counter] : state.counters) {
      counters.push_back(of_all_ranks(*counter, cuts, ranks));
      writer.add(fmt::format("{}.{}", prefix, name), counters.back());
    }
    steps.push_back(*state.step);
    if (!trainer.best(side).empty()) add(prefix + ".best", trainer.best(side));
    if (trainer.average().count() > 0) add(prefix + ".average", trainer.average().mean(side));
  }
  const std::vector<std::uint32_t> averaged{trainer.average().count()};
  if (averaged[0] > 0) writer.add("average.count", averaged);
  writer.add("steps", steps);
  if (!trainer.extractor().users.empty()) {
    writer.add("extractor.user", trainer.extractor().users);
    writer.add("extractor.item", trainer.extractor().items);
  }
  if (!trainer.thresholds().empty()) {
    writer.add("thresholds", std::span<const float>(trainer.thresholds()));
  }
  writer.metadata("format", std::string(kFormat));
  writer.metadata("settings", io::dump_json(fixed_settings(settings)));
  writer.metadata("source", source);
  writer.metadata("data", data::training_fingerprint(data));
  writer.metadata("standing", training_state_json(trainer.state()).dump());
  std::exception_ptr failure;
  try {
    if (ranks.first()) writer.write(path);
  } catch (const Error&) {
    failure = std::current_exception();
  }
  stream.finish();
  cluster::on_first_rank(ranks, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

void restore_checkpoint(Trainer& trainer, const Settings& settings, const data::Dataset& data,
                        const std::string& path) {
  try {
    restore(io::SafetensorsFile::open(path), settings, data, path, trainer);
  } catch (const io::DamagedFile& file) {
    fail_checkpoint(path, file.damage());
  }
}

}  // namespace evenkeel::train
