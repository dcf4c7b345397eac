// In: a run folder and a text. Out: the items, or the users, whose id or title holds it.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/list_filters.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "data/titles.h"

namespace evenkeel::cli {
namespace {

struct FindArguments {
  FindArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {top_field("hits to show")};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, text, titles;
  bool users = false, json = false;
};

int find_command(const FindArguments& options) {
  const Settings settings = options.bound.resolve();
  const model::Model model = load_run_model(options.run);
  const data::Titles titles = load_titles(options.titles, model);
  const data::Titles none;
  const data::Ids& ids = options.users ? model.user_ids : model.item_ids;
  const auto& counts = options.users ? model.user_popularity : model.item_popularity;
  const auto k = static_cast<std::size_t>(settings.integer("k"));
  const auto rows = data::find_rows(ids, options.users ? none : titles, options.text, k);
  const char* side = options.users ? "user" : "item";
  nlohmann::json hits = nlohmann::json::array();
  for (const Row row : rows) {
    const std::string_view title = options.users ? std::string_view() : titles.of(row);
    if (options.json) {
      nlohmann::json hit{{side, ids.text(row)}, {"interactions", counts[row]}};
      if (!title.empty()) hit["title"] = title;
      hits.push_back(std::move(hit));
    } else {
      out("{}\t{}", tsv_text(ids.text(row)), counts[row]);
      if (!title.empty()) out("\t{}", tsv_text(title));
      out("\n");
    }
  }
  if (options.json) {
    out("{}\n", json_text({{"text", options.text}, {"hits", std::move(hits)}}));
  } else if (rows.empty()) {
    say("evenkeel: no {} of the {} has '{}' in its {}", side, ids.size(), options.text,
        titles.texts.empty() || options.users ? "id" : "id or title");
  }
  return 0;
}

}  // namespace

Action add_find(CLI::App& app) {
  auto options = std::make_shared<FindArguments>();
  add_model(app, options->run);
  app.add_option("text", options->text, "a part of an id or a title, in any case of letters")
      ->required()
      ->type_name("TEXT");
  app.add_flag("--users", options->users, "look for users instead of items");
  add_titles(app, options->titles);
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  app.footer("Without --json: lines of id, training interactions and, with --titles, title.");
  return [options] { return find_command(*options); };
}

}  // namespace evenkeel::cli
