// In: a record. Out: its model and data, or a sentence about what is missing.
#include "report/loaded_run.h"

#include <filesystem>

#include "base/error.h"
#include "data/load.h"
#include "data/options.h"

namespace evenkeel {
namespace {

bool same_ids(const Ids& a, const Ids& b) {
  return a.offsets() == b.offsets() && a.bytes() == b.bytes();
}

bool fits(const Dataset& data, const Model& model) {
  return same_ids(data.users, model.user_ids) && same_ids(data.items, model.item_ids) &&
         data.items_of.offsets == model.known.offsets &&
         data.items_of.columns == model.known.columns;
}

// What a model knows of its data: the training pairs.
Dataset data_of(const Model& model, const std::string& name) {
  std::vector<Pair> pairs;
  for (Row user = 0; user < model.known.rows(); ++user) {
    for (const Row item : model.known.row(user)) pairs.push_back({user, item});
  }
  return make_dataset(name, model.user_ids, model.item_ids, pairs, {}, {});
}

// The reason why the files cannot serve; empty when they do.
std::string find_data(const RunRecord& run, const Model& model, DataShelf& shelf,
                      std::shared_ptr<const Dataset>& data) {
  std::error_code ignored;
  if (run.data.empty()) return "result.json does not name the data";
  if (!std::filesystem::exists(run.data, ignored)) return fmt::format("{} is gone", run.data);
  try {
    data = shelf.get(run);
  } catch (const std::exception& error) {
    return error.what();
  }
  if (fits(*data, model)) return "";
  data.reset();
  return fmt::format("{} has changed since training", run.data);
}

}  // namespace

std::shared_ptr<const Dataset> DataShelf::get(const RunRecord& run) {
  EVENKEEL_CHECK(run.settings.has_value());
  std::string key = run.data + "\n" + run.text("validation");
  for (const Field& field : data_fields()) key += "\n" + run.text(std::string(field.name));
  auto& place = read_[key];
  if (!place) {
    place = std::make_shared<const Dataset>(hold_out_validation(
        load_data(run.data, *run.settings, threads_), run.settings->number("validation"),
        static_cast<std::uint64_t>(run.settings->integer("seed"))));
  }
  return place;
}

std::optional<LoadedRun> load_run(RunRecord& run, DataShelf& shelf) {
  if (!run.settings || !run.has_model() || run.result.empty()) return std::nullopt;
  LoadedRun loaded;
  try {
    loaded.model = load_model((std::filesystem::path(run.path) / "model.safetensors").string());
  } catch (const std::exception& error) {
    run.state = RunState::kNoModel;
    run.problem = fmt::format("its model cannot be read ({})", error.what());
    return std::nullopt;
  }
  const std::string reason = find_data(run, loaded.model, shelf, loaded.data);
  if (!reason.empty()) {
    run.state = RunState::kNoData;
    run.problem = fmt::format(
        "{}: geometry and exposure come from the model's own record of its "
        "training data, figures from result.json",
        reason);
    const auto name = loaded.model.notes.find("data");
    try {
      loaded.data = std::make_shared<const Dataset>(
          data_of(loaded.model, name != loaded.model.notes.end() ? name->second : "data"));
    } catch (const std::exception& error) {
      run.problem =
          fmt::format("{}, and its model does not hold it either ({})", reason, error.what());
      return std::nullopt;
    }
  }
  return loaded;
}

}  // namespace evenkeel
