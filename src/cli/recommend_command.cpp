// In: a run folder and users. Out: each user's best items, as TSV or JSON lines.
#include "rank/recommend.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "data/id_list.h"
#include "model/model_data.h"

namespace evenkeel::cli {
namespace {

constexpr std::size_t kUsersAtOnce = 65536;  // bounds the memory of the lists

struct Options {
  Options() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {
        top_field("items a user"),
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
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, user, users_file;
  bool one_user = false, json = false, include_seen = false, skip_unknown = false;
};

struct Asked {
  std::string id;
  std::optional<Row> row;  // none: unknown
  bool popular = false;    // the popular list answers: nothing was learned of this user
};

std::vector<std::string> read_users(const std::string& path) {
  std::vector<std::string> ids = data::read_id_list(path);
  if (ids.empty()) fail_data("{}: holds no user; --users wants a file with one id a line", path);
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

void print_list(const Options& options, const model::Model& model, const Asked& asked,
                std::span<const kernels::Ranked> list) {
  if (options.json) {
    nlohmann::json items = nlohmann::json::array();
    for (const kernels::Ranked& entry : list) {
      items.push_back(
          {{"item", model.item_ids.text(entry.item)}, {"score", shortest(entry.score)}});
    }
    nlohmann::json line{{"user", asked.id}, {"items", std::move(items)}};
    if (asked.popular) line["fallback"] = "popular";
    out("{}\n", json_text(line));
    return;
  }
  for (const kernels::Ranked& entry : list) {
    const std::string item = tsv_text(model.item_ids.text(entry.item));
    if (options.one_user) {
      out("{}\t{}\n", item, entry.score);
    } else {
      out("{}\t{}\t{}\n", tsv_text(asked.id), item, entry.score);
    }
  }
}

int recommend_command(const Options& options) {
  const Settings settings = options.bound.resolve();
  if (options.one_user != options.users_file.empty()) {
    fail_config("give either --user ID or --users FILE");
  }
  const Unknown unknown{settings.text("fallback") == "popular", options.skip_unknown};
  if (unknown.popular && unknown.skip) {
    fail_config("--skip-unknown and --fallback popular are two answers to one question; give one");
  }
  const model::Model model = load_corrected_model(options.run, settings);
  const auto ids = options.one_user ? std::vector{options.user} : read_users(options.users_file);
  const auto asked = look_up(model, ids, unknown);
  const auto k = static_cast<std::size_t>(settings.integer("k"));
  Threads threads(static_cast<int>(settings.integer("threads")));
  const rank::PopularItems popular(model);
  const auto popular_list = [&](const Asked& one) {
    if (!one.row || options.include_seen) return popular.list(k);
    return popular.list(k, model::seen_items(model, std::span(&*one.row, 1)).columns);
  };
  for (std::size_t begin = 0; begin < asked.size(); begin += kUsersAtOnce) {
    const std::size_t end = std::min(asked.size(), begin + kUsersAtOnce);
    std::vector<Row> rows;
    for (std::size_t i = begin; i < end; ++i) {
      if (!asked[i].popular) rows.push_back(*asked[i].row);
    }
    const auto lists = rank::recommend(model, rows, k, !options.include_seen, threads);
    auto next = lists.begin();
    for (std::size_t i = begin; i < end; ++i) {
      print_list(options, model, asked[i], asked[i].popular ? popular_list(asked[i]) : *next++);
    }
  }
  return 0;
}

}  // namespace

Action add_recommend(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "run folder, or a model.safetensors")
      ->required()
      ->type_name("RUN");
  CLI::Option* user = app.add_option("--user", options->user, "one user")->type_name("ID");
  app.add_option("--users", options->users_file,
                 "file with one user id a line, may be .gz or .zst; - reads stdin")
      ->type_name("FILE")
      ->excludes(user);
  app.add_flag("--skip-unknown", options->skip_unknown,
               "leave out users the model does not know; their number is told");
  app.add_flag("--json", options->json, "one JSON object a user, one a line");
  app.add_flag("--include-seen,--include-known", options->include_seen,
               "also items that the log already holds of the user");
  options->bound.add_to(app, "Settings");
  app.footer("Without --json: lines of item and score (--user) or user, item and score (--users).");
  return [options, user] {
    options->one_user = user->count() > 0;
    return recommend_command(*options);
  };
}

}  // namespace evenkeel::cli
