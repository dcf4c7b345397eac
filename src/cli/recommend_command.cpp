// In: a run folder and users, or the items of somebody without a row. Out: their best items, as TSV
// or JSON lines.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/list_filters.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "data/id_list.h"
#include "eval/ranker.h"
#include "rank/model_lists.h"

namespace evenkeel::cli {
namespace {

constexpr std::size_t kUsersAtOnce = 65536;  // bounds the memory of the lists

struct RecommendArguments {
  RecommendArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {
        top_field("items per user"),
        score_field(),
        debias_field(),
        {"fallback",
         std::string("error"),
         "for a user the model does not know",
         0,
         0,
         {"error", "popular"}},
        threads_field(),
    };
    Settings settings(list);
    settings.add(rank::rerank_fields());
    return settings;
  }
  BoundOptions bound;
  std::string run, user, users_file, items, titles;
  FilterOptions filters;
  bool one_user = false, folds_in = false;  // --user, --items
  bool json = false, include_seen = false, skip_unknown = false;
};

struct Asked {
  std::string id;
  std::optional<Row> row;  // none: unknown
  bool popular = false;    // the popular list answers: nothing was learned of this user
};

std::vector<std::string> read_users(const std::string& path) {
  std::vector<std::string> ids = data::read_id_list(path);
  if (ids.empty()) fail_data("{}: holds no user; --users wants a file with one id per line", path);
  return ids;
}

[[noreturn]] void fail_unknown(const model::Model& model, const std::vector<std::string>& unknown,
                               std::size_t asked) {
  if (asked == 1) {
    fail_data(
        "user '{}' is not in the model ({} users); check the id, train again with this user's "
        "interactions, or give --fallback popular",
        unknown[0], model.user_ids.size());
  }
  fail_data(
      "user '{}' is not in the model ({} users), {} of {} are not; check the ids, or give "
      "--skip-unknown or --fallback popular",
      unknown[0], model.user_ids.size(), unknown.size(), asked);
}

struct Unknown {
  bool popular = false;  // the popular items answer for users without training
  bool skip = false;     // users that are not in the model are left out
};

std::vector<Asked> look_up(const model::Model& model, const std::vector<std::string>& ids,
                           Unknown how) {
  std::vector<Asked> asked;
  std::vector<std::string> unknown;
  std::size_t untrained = 0;
  for (const std::string& id : ids) {
    std::optional<Row> row = model.user_ids.find(id);
    if (!row && !how.popular) {
      unknown.push_back(id);
      continue;
    }
    const bool trained = row && model.user_popularity[*row] > 0;
    if (row && !trained && !how.popular) ++untrained;
    asked.push_back({id, row, how.popular && !trained});
  }
  if (!unknown.empty() && !how.skip) fail_unknown(model, unknown, ids.size());
  if (!unknown.empty()) {
    say("evenkeel: {} of {} users are not in the model and left out, the first is '{}'",
        unknown.size(), ids.size(), unknown[0]);
  }
  if (untrained > 0) {
    say("evenkeel: {} of the users had no training interactions, so their lists are arbitrary; "
        "--fallback popular gives them the popular items",
        untrained);
  }
  return asked;
}

// Everything that the lists of one call are made with.
struct Request {
  const RecommendArguments& options;
  const model::Model& model;
  const rank::ModelLists& lists;
  const Filters& filters;
  const data::Titles& titles;
  std::size_t k = 0;
  bool popular = false;  // --fallback popular
  const rank::Reranking& reranking;
};

void print_list(const Request& request, const std::optional<std::string>& user, bool popular,
                const rank::List& list) {
  const model::Model& model = request.model;
  if (request.options.json) {
    nlohmann::json items = nlohmann::json::array();
    for (const kernels::Ranked& entry : list) {
      nlohmann::json one{{"item", model.item_ids.text(entry.item)},
                         {"score", shortest(entry.score)}};
      const auto title = request.titles.of(entry.item);
      if (!title.empty()) one["title"] = title;
      items.push_back(std::move(one));
    }
    nlohmann::json line{{"items", std::move(items)}};
    if (user) line["user"] = *user;
    if (popular) line["fallback"] = "popular";
    out("{}\n", json_text(line));
    return;
  }
  const bool shows_user = user && !request.options.one_user;
  for (const kernels::Ranked& entry : list) {
    if (shows_user) out("{}\t", tsv_text(*user));
    out("{}\t{}", tsv_text(model.item_ids.text(entry.item)), entry.score);
    if (!request.titles.texts.empty()) out("\t{}", tsv_text(request.titles.of(entry.item)));
    out("\n");
  }
}

rank::List popular_list(const Request& request, const std::vector<Row>& masked) {
  const auto& only = request.filters.only;
  if (!only) return request.lists.popular().list(request.k, masked);
  rank::List list;
  for (const auto& entry : request.lists.popular().list(request.model.items.rows(), masked)) {
    if (list.size() < request.k && std::binary_search(only->begin(), only->end(), entry.item)) {
      list.push_back(entry);
    }
  }
  return list;
}

std::optional<std::span<const Row>> limit_of(const Filters& filters) {
  if (!filters.only) return std::nullopt;
  return std::span<const Row>(*filters.only);
}

// Lists of known users, in order; `masked` stands beside each of them.
void print_users(const Request& request, std::span<const Asked> asked, Threads& threads) {
  const model::Model& model = request.model;
  std::vector<std::vector<Row>> masked(asked.size());
  std::vector<rank::ListQuery> queries(asked.size());
  std::vector<rank::List> lists(asked.size());
  threads.for_chunks(
      asked.size(), eval::Ranker::kBlock, [&](std::size_t begin, std::size_t end, int) {
        std::vector<rank::ListQuery> wanted;
        for (std::size_t i = begin; i < end; ++i) {
          std::vector<Row> seen;
          if (asked[i].row && !request.options.include_seen)
            seen = request.lists.seen(*asked[i].row);
          masked[i] = request.filters.masked(std::move(seen), asked[i].row);
          if (asked[i].popular) continue;
          wanted.push_back({model.users.values(*asked[i].row),
                            request.reranking.candidates(request.k), model.debias, masked[i],
                            limit_of(request.filters)});
        }
        std::vector<rank::List> made = request.lists.ranking().rank(wanted);
        auto next = made.begin();
        for (std::size_t i = begin; i < end; ++i) {
          lists[i] = asked[i].popular ? popular_list(request, masked[i]) : std::move(*next++);
          if (asked[i].popular) continue;
          request.reranking.apply(model.known.row(*asked[i].row), request.k, lists[i]);
        }
      });
  for (std::size_t i = 0; i < asked.size(); ++i) {
    print_list(request, asked[i].id, asked[i].popular, lists[i]);
  }
}

// Somebody without a row, known by items: given with commas, or one per line in @FILE.
void print_folded_in(const Request& request) {
  const std::string& given = request.options.items;
  const auto ids =
      given.starts_with("@") ? data::read_id_list(given.substr(1)) : cut_at_commas(given);
  const std::vector<Row> used = known_items(request.model, ids, "--items");
  const std::vector<Row> masked = request.filters.masked(
      request.options.include_seen ? std::vector<Row>{} : used, std::nullopt);
  if (used.empty()) {
    if (request.popular) {
      return print_list(request, std::nullopt, true, popular_list(request, masked));
    }
    if (ids.empty()) {
      fail_data(
          "no item is given; name at least one that the user has used, or give --fallback "
          "popular");
    }
    fail_data(
        "none of the {} items is in the model ({} items); check the ids, or give --fallback "
        "popular",
        ids.size(), request.model.item_ids.size());
  }
  data::Csr history;
  history.columns = used;
  history.offsets.push_back(used.size());
  Threads one(1);
  const Matrix user = request.lists.fold_in().users(history, one);
  const rank::ListQuery query{user.values(0), request.reranking.candidates(request.k),
                              request.model.debias, masked, limit_of(request.filters)};
  rank::List list = request.lists.ranking().rank(std::span(&query, 1)).front();
  request.reranking.apply(used, request.k, list);
  print_list(request, std::nullopt, false, list);
}

void check_words(const RecommendArguments& options, const Unknown& unknown) {
  const int ways = (options.one_user ? 1 : 0) + (options.users_file.empty() ? 0 : 1) +
                   (options.folds_in ? 1 : 0);
  if (ways != 1) fail_config("give either --user ID, --users FILE or --items ID,ID...");
  if (unknown.popular && unknown.skip) {
    fail_config("--skip-unknown and --fallback popular are two answers to one question; give one");
  }
  if (options.folds_in && unknown.skip) {
    fail_config(
        "--skip-unknown leaves out users, and --items asks for nobody by name; leave it "
        "out");
  }
  if (options.folds_in && !options.filters.seen.empty()) {
    fail_config(
        "--seen holds interactions of users, and --items asks for nobody by name; give "
        "--exclude");
  }
}

int recommend_command(const RecommendArguments& options) {
  const Settings settings = options.bound.resolve();
  const Unknown unknown{settings.text("fallback") == "popular", options.skip_unknown};
  check_words(options, unknown);
  const rank::RerankAsk rerank = rank::rerank_ask(rank::rerank_words(settings));
  const model::Model model = load_corrected_model(options.run, settings);
  std::vector<Asked> asked;
  if (!options.folds_in) {
    const auto ids = options.one_user ? std::vector{options.user} : read_users(options.users_file);
    asked = look_up(model, ids, unknown);
  }
  Threads threads(static_cast<int>(settings.integer("threads")));
  const Filters filters = read_filters(options.filters, model, threads);
  const data::Titles titles = load_titles(options.titles, model);
  const rank::ModelLists lists(model, threads);
  lists.checked_debias(model.debias);
  const rank::Reranking reranking = lists.reranking(rerank);
  const Request request{options,         model,    lists,
                        filters,         titles,   static_cast<std::size_t>(settings.integer("k")),
                        unknown.popular, reranking};
  if (options.folds_in) print_folded_in(request);
  for (std::size_t begin = 0; begin < asked.size(); begin += kUsersAtOnce) {
    const std::size_t count = std::min(asked.size() - begin, kUsersAtOnce);
    print_users(request, std::span(asked).subspan(begin, count), threads);
  }
  return 0;
}

}  // namespace

Action add_recommend(CLI::App& app) {
  auto options = std::make_shared<RecommendArguments>();
  add_model(app, options->run);
  CLI::Option* user = app.add_option("-u,--user", options->user, "one user")->type_name("ID");
  app.add_option("--users", options->users_file,
                 "file with one user id per line, may be .gz or .zst; - reads stdin")
      ->type_name("FILE")
      ->excludes(user);
  CLI::Option* items =
      app.add_option(
             "--items", options->items,
             "somebody who is not in the model, by what was used; @FILE holds one id per line")
          ->type_name("ID,ID...")
          ->excludes(user);
  options->filters.add_to(app);
  add_titles(app, options->titles);
  app.add_flag("--skip-unknown", options->skip_unknown,
               "leave out users the model does not know; their number is told");
  app.add_flag("--json", options->json, "one JSON object per user, one per line");
  app.add_flag("--include-seen,--include-known", options->include_seen,
               "also items that the log already holds of the user");
  options->bound.add_to(app, "Settings");
  app.footer(
      "Without --json: lines of item and score (--user, --items) or user, item and score "
      "(--users); "
      "with --titles,\nthe title comes last.");
  return [options, user, items] {
    options->one_user = user->count() > 0;
    options->folds_in = items->count() > 0;
    return recommend_command(*options);
  };
}

}  // namespace evenkeel::cli
