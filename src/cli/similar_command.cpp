// In: a run folder and an item. Out: the items whose vectors point the same way.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "rank/recommend.h"

namespace evenkeel::cli {
namespace {

struct Options {
  Options() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {
        top_field("items to show"),
        {"debias", 0.0, "strength of the popularity correction, 0: none", 0.0, model::kMostDebias},
        threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, item;
  bool json = false;
};

int similar_command(const Options& options) {
  const Settings settings = options.bound.resolve();
  const model::Model model = load_run_model(options.run);
  const Row item = find_item(model, options.item);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const auto list =
      rank::similar_items(model, item, static_cast<std::size_t>(settings.integer("k")),
                          settings.number("debias"), threads);
  nlohmann::json items = nlohmann::json::array();
  for (const kernels::Ranked& entry : list) {
    const std::string_view id = model.item_ids.text(entry.item);
    if (options.json) {
      items.push_back({{"item", id}, {"score", shortest(entry.score)}});
    } else {
      out("{}\t{}\n", tsv_text(id), entry.score);
    }
  }
  if (options.json) {
    const nlohmann::json answer{{"item", options.item}, {"items", std::move(items)}};
    out("{}\n", json_text(answer));
  }
  return 0;
}

}  // namespace

Action add_similar(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "run folder, or a model.safetensors")
      ->required()
      ->type_name("RUN");
  app.add_option("--item", options->item, "the item")->required()->type_name("ID");
  app.add_flag("--json", options->json, "one JSON object");
  options->bound.add_to(app, "Settings");
  app.footer("Without --json: lines of item and cosine (with --debias, the corrected score).");
  return [options] { return similar_command(*options); };
}

}  // namespace evenkeel::cli
