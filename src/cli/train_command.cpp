// In: DATA and settings. Out: a run folder; the final table on stdout, progress on stderr.
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/experiment_progress.h"
#include "cli/interruptible.h"
#include "cli/option_binding.h"
#include "cli/progress.h"
#include "cli/read_summary.h"
#include "cli/result_table.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "data/prepared.h"
#include "experiment/auto_tune.h"
#include "rank/dial.h"
#include "train/checkpoint.h"
#include "train/run.h"
#include "train/run_folder.h"

namespace evenkeel::cli {
namespace {

struct TrainArguments {
  TrainArguments() : bound(train::run_settings()) {}
  BoundOptions bound;
  train::RunRequest request;
  std::string config, budget;
  experiment::Budget pending_budget;  // of a search that goes on
  bool automatic = false, quiet = false, json = false;
};

// A log that was split serves people best when all of it has trained.
void say_held_out(const TrainArguments& options, const nlohmann::json& result) {
  if (data::is_split_already(options.request.data) || result.contains("refit")) return;
  const double held = result.value("held_out_share", 0.0);
  if (held <= 0) return;
  // Without validation a refit has no epoch to choose.
  const bool chosen = result.at("evaluations").contains("valid");
  const std::string all =
      chosen ? "--refit"
             : fmt::format("--split none --epochs {}", std::max(1, result.value("epochs", 1)));
  std::string again = "the same command with";
  if (options.request.resume) {  // the same command would go on
    again = fmt::format("evenkeel train {} --config {} --out {}", options.request.data,
                        train::run_file(options.request.out, train::run_files::kConfig),
                        options.request.out);
  }
  say("evenkeel: {:.0f} % of the log is held out for {}; {} {} --overwrite trains on all of it",
      100 * held, chosen ? "validation and test" : "test", again, all);
}

// A refit has trained on validation, and of a log on its test: these figures are from before it.
void say_refit(const nlohmann::json& result) {
  const auto refit = result.find("refit");
  if (refit == result.end() || refit->at("measured_before").empty()) return;
  std::string parts;
  for (const nlohmann::json& part : refit->at("measured_before")) {
    parts += (parts.empty() ? "" : ", ") + part.get<std::string>();
  }
  say("evenkeel: figures of {} are those of the model before the refit, which trained on these "
      "pairs",
      parts);
}

// Where the dial stands and what turning it does, measured on validation.
void say_dial(const nlohmann::json& result) {
  const auto dial = result.find("dial");
  if (dial == result.end() || !dial->is_object() || dial->at("points").size() < 2) return;
  const double chosen = dial->at("debias").get<double>();
  const nlohmann::json& points = dial->at("points");
  const auto figures = [](const nlohmann::json& point) {
    return fmt::format("Recall@20 {:.4f}, balanced {:.4f}", point.at("recall@20").get<double>(),
                       point.at("balanced_recall@20").get<double>());
  };
  const double shown = chosen > 0 ? chosen : rank::kShownDebias;
  say("evenkeel: on validation, as logged: {}", figures(points[0]));
  for (const nlohmann::json& point : points) {
    if (point.at("debias").get<double>() != shown) continue;
    say("evenkeel: with --debias {}{}: {}", shown, chosen > 0 ? " (chosen)" : "", figures(point));
  }
}

void print_result(const TrainArguments& options, const nlohmann::json& result) {
  if (options.json) out("{}\n", json_text(result));
  if (options.quiet || options.json) return;
  const nlohmann::json evaluations = result.value("evaluations", nlohmann::json::object());
  if (!evaluations.empty()) out("{}", evaluations_table(evaluations, 20));
  const nlohmann::json timing = result.value("timing", nlohmann::json::object());
  say("evenkeel: {} in {}, best epoch {}; the run is in {}",
      counted(result.value("epochs", std::size_t{0}), "epoch"),
      duration_text(timing.value("train_seconds", 0.0)), result.value("best_epoch", 0),
      options.request.out);
  say_dial(result);
  say_refit(result);
  say("evenkeel: next, try: evenkeel recommend {} --user ID", options.request.out);
  say_held_out(options, result);
}

nlohmann::json train(const TrainArguments& options, const Settings& settings,
                     train::Observer& progress, const std::atomic<bool>& stop) {
  if (options.automatic && !options.request.ranks->alone()) {
    fail_config(
        "--auto searches in one process; find the settings with evenkeel train --auto, then train "
        "with its config.toml on many ranks");
  }
  if (!options.automatic) {
    if (!options.budget.empty()) fail_config("--budget limits --auto; give both or neither");
    return train::train_run(options.request, settings, progress, stop);
  }
  const experiment::Budget budget =
      options.budget.empty() ? options.pending_budget : experiment::parse_budget(options.budget);
  ExperimentProgress search(options.quiet);
  return experiment::train_auto(options.request, settings, budget, search, progress, stop);
}

// A search that was stopped goes on with what it was asked, also where --auto is not repeated.
Settings settings_of_search(TrainArguments& options, const experiment::PendingSearch& search) {
  options.automatic = true;
  options.pending_budget = search.budget;
  if (options.request.data.empty()) options.request.data = search.data;
  return options.bound.resolve_over(search.settings, options.config);
}

// What there is to go on from, for a --resume.
void check_there_is_something(const TrainArguments& options) {
  const std::string& run = options.request.out;
  if (options.request.data.empty()) {
    fail_config("{} holds no training to go on from; check --out, or name the DATA to train on",
                run);
  }
  if (!options.quiet) {
    say("evenkeel: {} holds no training to go on from; a new one begins", run);
  }
}

// A bare --resume goes on with the settings and the data of the run; what the command gives wins,
// and the engine refuses what may not change.
Settings settings_of(TrainArguments& options) {
  train::RunRequest& request = options.request;
  if (request.resume) {
    if (const auto search = experiment::pending_search(request.out)) {
      return settings_of_search(options, *search);
    }
  }
  const std::string place = train::training_place(request.out);
  const bool known = request.resume && train::has_run_file(place, train::run_files::kConfig);
  Settings settings = options.bound.resolve(
      known ? train::run_file(place, train::run_files::kConfig) : "", options.config);
  if (request.resume && !known) check_there_is_something(options);
  if (!request.data.empty()) return settings;
  if (known && train::has_run_file(place, train::run_files::kCheckpoint)) {
    request.data = train::checkpoint_source(train::run_file(place, train::run_files::kCheckpoint));
  }
  if (request.data.empty()) {
    fail_config("DATA is missing; name what to train on: evenkeel train DATA --out {}",
                request.out.empty() ? "RUN" : request.out);
  }
  return settings;
}

int train_command(TrainArguments& options) {
  const Settings settings = settings_of(options);
  refuse_for_folder(options.bound, options.request.data, {"split"});
  const StopSignals signals;
  Progress progress(options.quiet);
  return interruptible(progress, "the same command with --resume goes on from there", [&] {
    const nlohmann::json result = train(options, settings, progress, signals.stop());
    progress.finish();
    print_result(options, result);
    return 0;
  });
}

}  // namespace

Action add_train(CLI::App& app) {
  return add_train(app, cluster::alone());
}

Action add_train(CLI::App& app, cluster::Cluster& ranks) {
  auto options = std::make_shared<TrainArguments>();
  options->request.ranks = &ranks;
  app.add_option("data", options->request.data,
                 "data folder or interactions file (--resume knows it)")
      ->type_name("DATA");
  app.add_option("-o,--out", options->request.out, "run folder to write; made if missing")
      ->required()
      ->type_name("RUN");
  app.add_option("--config", options->config, "TOML file of settings; the command line wins")
      ->type_name("FILE");
  app.add_flag("--resume", options->request.resume,
               "go on from RUN's checkpoint, with its settings where none are given");
  app.add_flag("--overwrite", options->request.overwrite, "replace a finished run in RUN");
  app.add_flag("--auto", options->automatic,
               "choose temperature, margin strength and learning rate on validation");
  app.add_option("--budget", options->budget, "of --auto: settings to try, or a time such as 10m")
      ->type_name("N|TIME");
  app.add_flag("--quiet", options->quiet, "no progress and no table");
  app.add_flag("--json", options->json, "result.json on stdout instead of the table");
  options->bound.add_to(app, "Settings (also the keys of --config)");
  return [options] { return train_command(*options); };
}

}  // namespace evenkeel::cli
