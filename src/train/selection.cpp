// In: the chosen epoch. Out: a file that a killed refit goes on from.
#include "train/selection.h"

#include <algorithm>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "train/checkpoint.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;

[[noreturn]] void fail_damaged(const std::string& path, const char* what) {
  fail_data("{}: damaged ({}); start anew without --resume", path, what);
}

Selection parse_selection(const json& stored) {
  Selection selection;
  selection.best_epoch = stored.at("best_epoch").get<int>();
  selection.figures = stored.at("figures");
  selection.chosen = stored.at("chosen");
  const json& effort = stored.at("effort");
  selection.effort = {
      effort.at("train_seconds").get<double>(), effort.at("evaluate_seconds").get<double>(),
      effort.at("samples").get<std::size_t>(), effort.at("epochs").get<std::size_t>()};
  selection.events = stored.at("events").get<std::vector<std::string>>();
  if (!selection.figures.is_object() || !selection.figures.contains("evaluations") ||
      !selection.figures.contains("groups") || !selection.figures.contains("dial") ||
      !selection.chosen.is_object()) {
    throw std::out_of_range("its figures are missing");
  }
  return selection;
}

}  // namespace

void save_selection(const Selection& selection, const Settings& settings, const data::Dataset& data,
                    const std::string& path) {
  const json stored{{"settings", fixed_settings(settings)},
                    {"data", data::training_fingerprint(data)},
                    {"best_epoch", selection.best_epoch},
                    {"figures", selection.figures},
                    {"chosen", selection.chosen},
                    {"effort",
                     {{"train_seconds", selection.effort.train_seconds},
                      {"evaluate_seconds", selection.effort.evaluate_seconds},
                      {"samples", selection.effort.samples},
                      {"epochs", selection.effort.epochs}}},
                    {"events", selection.events}};
  io::write_file_atomically(path, io::dump_json(stored, 2) + "\n");
}

Selection load_selection(const Settings& settings, const data::Dataset& data,
                         const std::string& path) {
  const json stored = io::read_json_file(path);
  if (!stored.is_object()) fail_damaged(path, "not a JSON object");
  Selection selection;
  try {
    check_same_settings(stored.at("settings"), settings, path);
    if (stored.at("data") != data::training_fingerprint(data)) {
      fail_config("the data is not what {} was made from; start anew without --resume", path);
    }
    selection = parse_selection(stored);
  } catch (const json::exception& damage) {
    fail_damaged(path, damage.what());
  } catch (const std::out_of_range& damage) {
    fail_damaged(path, damage.what());
  }
  if (selection.best_epoch < 1 || selection.best_epoch > 1000000) {
    fail_damaged(path, "its epoch is out of range");
  }
  return selection;
}

Settings refit_settings(const Settings& settings, const Selection& selection) {
  Settings again = settings;
  again.set("epochs", Value(static_cast<std::int64_t>(selection.best_epoch)));
  again.set("validation", Value(0.0));
  for (const auto& [name, value] : selection.chosen.items()) {
    again.set(name, std::string_view(fmt::format("{}", value.get<double>())));
  }
  return again;
}

}  // namespace evenkeel::train
