// In: RUN. Out: its model, or a sentence about what is missing.
#include "cli/run_folder.h"

#include <filesystem>

#include "base/error.h"
#include "train/run_folder.h"

namespace evenkeel::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

Field score_field() {
  return {"score", std::string("trained"), "ranking score", 0, 0, {"trained", "cosine", "dot"}};
}
Field top_field(std::string_view help) {
  return {"k", std::int64_t{20}, help, 1, 1e6};
}
Field threads_field() {
  return {"threads", std::int64_t{0}, "threads to use; 0: all cores this process may use", 0, 1024};
}

model::Model load_run_model(const std::string& run, const Settings& settings) {
  std::error_code ignored;
  const bool file = fs::is_regular_file(run, ignored);
  const std::string path = file ? run : train::run_file(run, train::run_files::kModel);
  if (!fs::exists(path, ignored)) {
    if (train::has_run_file(run, train::run_files::kCheckpoint)) {
      fail_data("{}: its training is not finished; go on with: evenkeel train --resume --out {}",
                run, run);
    }
    fail_data("{}: there is no such model; make one with: evenkeel train DATA --out {}", path, run);
  }
  model::Model model = model::load_model(path);
  if (settings.has("score") && settings.text("score") != "trained") {
    model.score = model::parse_score(settings.text("score"));
  }
  return model;
}

Row find_item(const model::Model& model, const std::string& id) {
  const auto row = model.item_ids.find(id);
  if (!row) {
    fail_data(
        "item '{}' is not in the model ({} items); check the id, or train again with this "
        "item's interactions",
        id, model.item_ids.size());
  }
  return *row;
}

}  // namespace evenkeel::cli
