// In: a run folder and an item or a user. Out: the items, or the users, whose vectors point the
// same way.
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/list_filters.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "rank/recommend.h"

namespace evenkeel::cli {
namespace {

struct SimilarArguments {
  SimilarArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {
        top_field("items to show"),
        {"debias", 0.0, "strength of the popularity correction, 0: none", 0.0, model::kMostDebias},
        threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, item, user, titles;
  bool json = false;
};

// `side` is the word for what is listed: item or user.
void print_list(const SimilarArguments& options, const char* side, const data::Ids& ids,
                const data::Titles& titles, const std::vector<kernels::Ranked>& list) {
  nlohmann::json entries = nlohmann::json::array();
  for (const kernels::Ranked& entry : list) {
    const std::string_view id = ids.text(entry.item), title = titles.of(entry.item);
    if (options.json) {
      nlohmann::json one{{side, id}, {"score", shortest(entry.score)}};
      if (!title.empty()) one["title"] = title;
      entries.push_back(std::move(one));
    } else {
      out("{}\t{}", tsv_text(id), entry.score);
      if (!titles.texts.empty()) out("\t{}", tsv_text(title));
      out("\n");
    }
  }
  if (options.json) {
    const nlohmann::json answer{{side, options.item.empty() ? options.user : options.item},
                                {std::string(side) + "s", std::move(entries)}};
    out("{}\n", json_text(answer));
  }
}

int similar_users(const SimilarArguments& options, const Settings& settings,
                  const model::Model& model) {
  if (settings.number("debias") > 0) {
    fail_config(
        "--debias takes the popularity of items out, and --user compares users; leave it "
        "out");
  }
  if (!options.titles.empty()) {
    fail_config("--titles names items, and --user lists users; leave it out");
  }
  const auto row = model.user_ids.find(options.user);
  if (!row) {
    fail_data(
        "user '{}' is not in the model ({} users); check the id, or train again with this user's "
        "interactions",
        options.user, model.user_ids.size());
  }
  Threads threads(static_cast<int>(settings.integer("threads")));
  const auto k = static_cast<std::size_t>(settings.integer("k"));
  print_list(options, "user", model.user_ids, {}, rank::similar_users(model, *row, k, threads));
  return 0;
}

int similar_command(const SimilarArguments& options) {
  const Settings settings = options.bound.resolve();
  if (options.item.empty() == options.user.empty()) {
    fail_config("give either --item ID or --user ID");
  }
  const model::Model model = load_run_model(options.run);
  if (!options.user.empty()) return similar_users(options, settings, model);
  const Row item = find_item(model, options.item);
  const data::Titles titles = load_titles(options.titles, model);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const auto list =
      rank::similar_items(model, item, static_cast<std::size_t>(settings.integer("k")),
                          settings.number("debias"), threads);
  print_list(options, "item", model.item_ids, titles, list);
  return 0;
}

}  // namespace

Action add_similar(CLI::App& app) {
  auto options = std::make_shared<SimilarArguments>();
  add_model(app, options->run);
  CLI::Option* item = app.add_option("--item", options->item, "the item")->type_name("ID");
  app.add_option("-u,--user", options->user, "the user: lists users")
      ->type_name("ID")
      ->excludes(item);
  add_titles(app, options->titles);
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  app.footer("Without --json: lines of id and cosine (with --debias, the corrected score).");
  return [options] { return similar_command(*options); };
}

}  // namespace evenkeel::cli
