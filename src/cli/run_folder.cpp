// In: RUN. Out: its model, settings and data path, or a sentence about what is missing.
#include "cli/run_folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/json_text.h"
#include "train/run.h"

namespace evenkeel::cli {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& run, const char* name) {
  return (fs::path(run) / name).string();
}

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

Model load_run_model(const std::string& run, const Settings& settings) {
  std::error_code ignored;
  const bool file = fs::is_regular_file(run, ignored);
  const std::string path = file ? run : file_of(run, "model.safetensors");
  if (!fs::exists(path, ignored)) {
    fail_data("{}: there is no such model; make one with: evenkeel train DATA --out {}", path, run);
  }
  Model model = load_model(path);
  if (settings.has("score") && settings.text("score") != "trained") {
    model.score = parse_score(settings.text("score"));
  }
  return model;
}

std::string recorded_data(const std::string& run) {
  const std::string path = file_of(run, "result.json");
  const nlohmann::json result = read_json_file(path);
  if (!result.is_object() || !result.contains("data") || !result["data"].is_string()) {
    fail_config(
        "{}: does not say what the run was trained from; name it: evenkeel evaluate {} DATA", path,
        run);
  }
  const std::string data = result["data"].get<std::string>();
  std::error_code ignored;
  if (!fs::exists(data, ignored)) {
    fail_config("{}: the data of this run is gone; name its new place: evenkeel evaluate {} DATA",
                data, run);
  }
  return data;
}

Settings recorded_settings(const std::string& run) {
  const std::string path = file_of(run, "config.toml");
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    fail_data("{}: there is no such file; evaluate wants a run folder that evenkeel train wrote",
              path);
  }
  Settings settings = run_settings();
  settings.load_toml(path);
  return settings;
}

Row find_item(const Model& model, const std::string& id) {
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
