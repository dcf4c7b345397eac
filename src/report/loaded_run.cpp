// In: a record. Out: its model and data, or a sentence about what is missing.
#include "report/loaded_run.h"

#include "base/error.h"
#include "model/model_data.h"
#include "train/run_folder.h"

namespace evenkeel::report {

std::shared_ptr<const data::Dataset> DatasetCache::get(const model::Model& model) {
  auto data = std::make_shared<const data::Dataset>(model::dataset_of(model));
  auto& place = made_[data::fingerprint(*data)];
  if (!place) place = std::move(data);
  return place;
}

std::optional<LoadedRun> load_run(RunRecord& run, DatasetCache& cache) {
  if (!run.settings || !run.has_model() || run.result.empty()) return std::nullopt;
  LoadedRun loaded;
  try {
    loaded.model = model::load_model(train::run_file(run.path, train::run_files::kModel));
    loaded.data = cache.get(loaded.model);
  } catch (const std::exception& error) {
    run.state = RunState::kNoModel;
    run.problem = fmt::format("its model cannot be read ({})", error.what());
    return std::nullopt;
  }
  if (loaded.model.origin.fingerprint.empty()) {
    run.state = RunState::kNoData;
    run.problem =
        "its model was made by an older evenkeel and holds its training pairs alone: figures are "
        "from result.json";
  }
  return loaded;
}

}  // namespace evenkeel::report
