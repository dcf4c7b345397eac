// In: files of ids and interactions. Out: rows.
#include "cli/list_filters.h"

#include <algorithm>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "data/id_list.h"
#include "data/options.h"
#include "eval/test_parts.h"

namespace evenkeel::cli {
namespace {

data::Csr read_seen(const std::string& path, const model::Model& model,
                    const eval::Reading& reading, Threads& threads) {
  data::Interactions log = eval::read_log(model, path, reading, threads, true);
  log.pairs.insert(log.pairs.end(), log.seen.begin(), log.seen.end());  // whatever their rating
  std::vector<Pair> pairs;
  std::size_t unknown = 0;
  for (const Pair& pair : log.pairs) {
    const auto user = model.user_ids.find(log.users.text(pair.user));
    const auto item = model.item_ids.find(log.items.text(pair.item));
    if (user && item) {
      pairs.push_back({*user, *item});
    } else {
      ++unknown;
    }
  }
  if (unknown > 0) {
    say("evenkeel: {}: {} of {} interactions have a user or an item that is not in the model and "
        "are ignored",
        path, unknown, log.pairs.size());
  }
  return data::make_csr(pairs, model.users.rows(), Side::kUser);
}

}  // namespace

FilterOptions::FilterOptions() : reading(Settings(data::reading_fields())) {}

void FilterOptions::add_to(CLI::App& app) {
  app.add_option("--only", only, "rank these items alone: file with one id per line")
      ->type_name("FILE");
  app.add_option("--exclude", exclude, "never list these items: file with one id per line")
      ->type_name("FILE");
  app.add_option(
         "--seen", seen,
         "interactions since training, whatever their ratings: their items are left out for "
         "their users")
      ->type_name("FILE");
  reading.add_to(app, "Reading --seen FILE (otherwise as the run's own log was read)");
}

std::vector<Row> Filters::masked(std::vector<Row> base, std::optional<Row> user) const {
  const auto add = [&](std::span<const Row> more) {
    base.insert(base.end(), more.begin(), more.end());
  };
  add(exclude);
  if (user && *user < seen.rows()) add(seen.row(*user));
  std::sort(base.begin(), base.end());
  base.erase(std::unique(base.begin(), base.end()), base.end());
  return base;
}

std::vector<Row> known_items(const model::Model& model, const std::vector<std::string>& ids,
                             const std::string& what) {
  std::vector<Row> rows;
  std::vector<std::string> unknown;
  for (const std::string& id : ids) {
    if (const auto row = model.item_ids.find(id)) {
      rows.push_back(*row);
    } else {
      unknown.push_back(id);
    }
  }
  if (!unknown.empty()) {
    say("evenkeel: {}: {} of {} items are not in the model and ignored, the first is '{}'", what,
        unknown.size(), ids.size(), unknown[0]);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Filters read_filters(const FilterOptions& options, const model::Model& model, Threads& threads) {
  const eval::Reading reading = given_reading(options.reading);
  if (options.seen.empty() && !reading.empty()) {
    fail_config("--{} says how to read --seen FILE, which is not given; leave it out",
                reading.front().first);
  }
  Filters filters;
  if (!options.only.empty()) {
    filters.only = known_items(model, data::read_id_list(options.only), options.only);
  }
  if (!options.exclude.empty()) {
    filters.exclude = known_items(model, data::read_id_list(options.exclude), options.exclude);
  }
  if (!options.seen.empty()) filters.seen = read_seen(options.seen, model, reading, threads);
  return filters;
}

void add_titles(CLI::App& app, std::string& path) {
  app.add_option("--titles", path, "table of item ids and titles to show beside ids")
      ->type_name("FILE");
}

data::Titles load_titles(const std::string& path, const model::Model& model) {
  if (path.empty()) return {};
  data::Titles titles = data::read_titles(path, model.item_ids);
  if (titles.found < model.item_ids.size()) {
    say("evenkeel: {}: {} of the model's {} items have a title", path, titles.found,
        model.item_ids.size());
  }
  return titles;
}

}  // namespace evenkeel::cli
