// In: RUN. Out: its model, or a sentence about what is missing.
#include "cli/run_folder.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/console.h"
#include "rank/correction.h"
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
Field debias_field() {
  return {"debias", std::string("trained"),
          "strength of the popularity correction: 0 as logged, 1 the log's popularity taken out; "
          "trained: what training chose"};
}
Field threads_field() {
  return {"threads", std::int64_t{0}, "threads to use; 0: all cores this process may use", 0, 1024};
}

model::Model load_run_model(const std::string& run, const Settings& settings) {
  std::error_code ignored;
  const bool file = fs::is_regular_file(run, ignored);
  const std::string path = file ? run : train::run_file(run, train::run_files::kModel);
  if (!fs::exists(path, ignored)) {
    if (train::has_run_file(run, train::run_files::kCheckpoint) ||
        train::has_run_file(run, train::run_files::kPending)) {
      fail_data("{}: its training is not finished; go on with: evenkeel train --resume --out {}",
                run, run);
    }
    fail_data("{}: there is no such model; make one with: evenkeel train DATA --out {}", path, run);
  }
  model::Model model = model::load_model(path);
  if (settings.has("score") && settings.text("score") != "trained") {
    const model::Score score = model::parse_score(settings.text("score"));
    if (score != model.score) model.temperature = 0;  // it belongs to the other score
    model.score = score;
  }
  return model;
}

std::vector<double> strengths_of(std::string_view text, const model::Model& model) {
  if (text == "trained") return {model.debias};
  std::vector<double> strengths;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    strengths.push_back(rank::parse_debias(text.substr(0, comma)));
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  const bool some = std::any_of(strengths.begin(), strengths.end(), [](double g) { return g > 0; });
  if (some && rank::evenly_popular(model.item_popularity)) {
    say("evenkeel: every item is equally popular, so --debias changes nothing");
  }
  return strengths;
}

model::Model load_corrected_model(const std::string& run, const Settings& settings) {
  model::Model model = load_run_model(run, settings);
  const auto strengths = strengths_of(settings.text("debias"), model);
  if (strengths.size() != 1) {
    fail_config("--debias is '{}'; give one strength here", settings.text("debias"));
  }
  model.debias = strengths.front();
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
