// In: DATA and a search space, or an experiment file. Out: every candidate, ranked on validation.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/experiment_progress.h"
#include "cli/interruptible.h"
#include "cli/option_binding.h"
#include "cli/result_table.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "experiment/auto_tune.h"

namespace evenkeel::cli {
namespace {

struct SweepArguments {
  SweepArguments() : bound(train::run_settings()) {}
  BoundOptions bound;
  std::string data, out, config, budget, data_root;
  std::vector<std::string> space;
  int jobs = 1;
  bool json = false, quiet = false;
};

experiment::Plan plan_of(const SweepArguments& options, const Settings& settings) {
  if (options.data.ends_with(".toml")) {
    if (!options.space.empty()) {
      fail_config("--space is for DATA; {} has its own [[method]] search", options.data);
    }
    for (const Field* field : settings.fields()) {
      if (field->name == "threads" || !settings.is_set(field->name)) continue;
      fail_config("--{} is for DATA; {} has options of its own", field->name, options.data);
    }
    experiment::Plan plan = experiment::read_plan(options.data);
    if (!options.data_root.empty()) plan.data_root = options.data_root;
    return plan;
  }
  if (options.space.empty()) {
    fail_config("there is nothing to sweep; give --space, as in --space tau=0.06,0.08,0.1");
  }
  experiment::SearchSpace space;
  for (const std::string& axis : options.space) space.push_back(experiment::parse_axis(axis));
  if (std::all_of(space.begin(), space.end(),
                  [](const experiment::SearchAxis& axis) { return axis.values.size() == 1; })) {
    fail_config(
        "--space names one setting, and a sweep chooses among several; give more values, as in "
        "--space tau=0.06,0.08,0.1, or train it with evenkeel train");
  }
  return experiment::single_plan(options.data, settings, std::move(space));
}

experiment::ExperimentRequest request_of(const SweepArguments& options) {
  const Settings settings = options.bound.resolve(options.config);
  experiment::ExperimentRequest request;
  request.plan = plan_of(options, settings);
  request.limits.jobs = options.jobs;
  request.limits.threads = static_cast<int>(settings.integer("threads"));
  if (!options.budget.empty()) {
    const experiment::Budget budget = experiment::parse_budget(options.budget);
    request.limits.set_seconds(budget.seconds);
    if (budget.candidates == 1) {
      fail_config("--budget is 1, and a sweep chooses among several settings; give 2 or more");
    }
    if (budget.candidates > 0) {
      if (request.plan.tuning.kind == experiment::TuningKind::kGrid) {
        request.plan.tuning.kind = experiment::TuningKind::kRandom;
      }
      request.plan.tuning.candidates = budget.candidates;
    }
  }
  const std::filesystem::path data = std::filesystem::path(options.data).lexically_normal();
  request.out = options.out.empty() ? "sweep-" + slug(data.stem().string()) : options.out;
  return request;
}

nlohmann::json ranking_json(const experiment::Ranking& ranking) {
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
    nlohmann::json row{{"options", nlohmann::json::object()}};
    for (const experiment::Option& option : ranking.candidates[i]) {
      std::visit([&](const auto& value) { row["options"][option.name] = value; }, option.value);
    }
    const experiment::JobResult& result = ranking.results[i];
    if (result.ok()) {
      row["valid"] = result.result["evaluations"].value("valid", nlohmann::json::object());
      row["epochs"] = result.result["epochs"];
    } else {
      row["error"] = result.error;
    }
    rows.push_back(std::move(row));
  }
  return {{"data", ranking.data},
          {"encoder", ranking.encoder},
          {"method", ranking.method},
          {"ranking", std::move(rows)}};
}

void print_ranking(const experiment::Ranking& ranking) {
  out("{}: on validation\n",
      printable(fmt::format("{}, {}, {}", ranking.data, ranking.encoder, ranking.method)));
  Table table({"settings", "recall@20", "ndcg@20", "epochs", "seconds"});
  for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
    const experiment::JobResult& result = ranking.results[i];
    const std::string words = experiment::options_text(ranking.candidates[i]);
    const std::string name = words.empty() ? "as given (nothing to search)" : words;
    if (!result.ok()) {
      table.add({name, "-", "-", "-", "-"});
      if (!result.error.empty()) say("evenkeel: {}: {}", name, result.error);
      continue;
    }
    const nlohmann::json valid =
        result.result["evaluations"].value("valid", nlohmann::json::object());
    table.add({name, figure(valid, "recall@20"), figure(valid, "ndcg@20"),
               result.result["epochs"].dump(),
               fmt::format("{:.1f}", experiment::seconds_of(result.result))});
  }
  out("{}\n", table.text());
}

int print_rankings(const SweepArguments& options,
                   const std::vector<experiment::Ranking>& rankings) {
  int code = 0;
  nlohmann::json all = nlohmann::json::array();
  for (const experiment::Ranking& ranking : rankings) {
    const bool failed =
        ranking.candidates.size() != 1 &&  // one is nothing to search
        std::none_of(ranking.results.begin(), ranking.results.end(),
                     [](const experiment::JobResult& result) { return result.ok(); });
    if (code == 0 && failed) code = static_cast<int>(ErrorKind::kRun);
    if (!ranking.problem.empty()) {
      say("evenkeel: missing: {}", ranking.problem);
      code = static_cast<int>(ErrorKind::kData);
    } else if (options.json) {
      all.push_back(ranking_json(ranking));
    } else {
      print_ranking(ranking);
    }
  }
  if (options.json) out("{}\n", json_text(all, 2));
  return code;
}

int sweep_command(const SweepArguments& options) {
  const experiment::ExperimentRequest request = request_of(options);
  const StopSignals signals;
  ExperimentProgress progress(options.quiet);
  return interruptible(progress, "the same command goes on from there", [&] {
    const std::vector<experiment::Ranking> rankings =
        experiment::run_sweep(request, progress, signals.stop());
    progress.finish();
    return print_rankings(options, rankings);
  });
}

}  // namespace

Action add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepArguments>();
  app.add_option("data", options->data, "data folder, interactions file or experiment file (.toml)")
      ->required()
      ->type_name("DATA");
  app.add_option("--space", options->space, "an option and its values: tau=0.06,0.08; repeatable")
      ->type_name("NAME=A,B")
      ->take_all();
  app.add_option("--budget", options->budget, "settings to try, or a time such as 10m")
      ->type_name("N|TIME");
  app.add_option("-o,--out", options->out, "folder for the runs' records (default: sweep-NAME)")
      ->type_name("DIR");
  app.add_option("--config", options->config, "TOML file of settings; the command line wins")
      ->type_name("FILE");
  app.add_option("--data-root", options->data_root, "where an experiment file's data paths begin")
      ->type_name("DIR");
  app.add_option("--jobs", options->jobs, "runs at once; they share the cores")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_flag("--json", options->json, "one JSON array");
  app.add_flag("--quiet", options->quiet, "no progress");
  options->bound.add_to(app, "Settings of every run (also the keys of --config)");
  return [options] { return sweep_command(*options); };
}

}  // namespace evenkeel::cli
