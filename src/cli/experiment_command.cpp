// In: an experiment file. Out: its runs and tables in a folder; table.md on stdout.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/experiment_progress.h"
#include "cli/interruptible.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "experiment/experiment.h"
#include "experiment/render.h"
#include "experiment/summary.h"

namespace evenkeel::cli {
namespace {

struct ExperimentArguments {
  std::vector<std::string> files, only;
  std::string out, data_root, tables, below;
  int jobs = 1, threads = 0;
  bool dry_run = false, summary = false, quiet = false, json = false;
};

// experiments/unbiased/coat.toml -> results/unbiased/coat: files of two folders may share a name.
std::string default_out(const std::string& file) {
  std::filesystem::path name = std::filesystem::path(file).lexically_normal();
  name.replace_extension();
  const auto folder = std::find(name.begin(), name.end(), "experiments");
  std::filesystem::path below;
  for (auto part = folder; part != name.end(); ++part) {
    if (part != folder) below /= *part;
  }
  return (std::filesystem::path("results") / (below.empty() ? name.filename() : below)).string();
}

experiment::ExperimentRequest request_of(const ExperimentArguments& options) {
  if (options.files.size() != 1) {
    fail_config("{} files are named; evenkeel experiment runs one at a time", options.files.size());
  }
  const std::string& file = options.files.front();
  experiment::ExperimentRequest request;
  request.plan = experiment::read_plan(file);
  request.plan = experiment::only_these(std::move(request.plan), options.only);
  if (!options.data_root.empty()) request.plan.data_root = options.data_root;
  request.out = options.out.empty() ? default_out(file) : options.out;
  request.limits.jobs = options.jobs;
  request.limits.threads = options.threads;
  request.command = fmt::format("evenkeel experiment {}", file);
  for (const std::string& name : options.only) request.command += fmt::format(" --only '{}'", name);
  return request;
}

std::string workload_text(const experiment::Workload& load) {
  if (load.runs == 0) return "-";
  return load.done == 0 ? fmt::format("{}", load.runs)
                        : fmt::format("{} ({} done)", load.runs, load.done);
}

int dry_run(const experiment::ExperimentRequest& request) {
  Table table({"data, encoder, method", "candidates", "tuning runs", "final runs", "rough time"});
  double seconds = 0;
  std::size_t left = 0;
  bool missing = false;
  for (const experiment::PlannedCell& cell : experiment::planned_cells(request)) {
    const std::string name = fmt::format("{}, {}, {}", cell.data, cell.encoder, cell.method);
    if (!cell.problem.empty()) {
      table.add({name, "-", "-", "-", "data missing"});
      missing = true;
      continue;
    }
    const double time = cell.tuning.seconds + cell.final_runs.seconds;
    table.add({name, fmt::format("{}", cell.candidates), workload_text(cell.tuning),
               workload_text(cell.final_runs),
               duration_text(time) + (cell.measured ? ", measured" : "")});
    seconds += time;
    left += cell.tuning.runs - cell.tuning.done + cell.final_runs.runs - cell.final_runs.done;
  }
  out("{}", table.text());
  out("\n{} runs to do, roughly {} (runs that stop early or late change it several-fold)\n", left,
      duration_text(seconds));
  return missing ? static_cast<int>(ErrorKind::kData) : 0;
}

int finish(const experiment::ExperimentRequest& request,
           const experiment::ExperimentOutcome& outcome, bool json) {
  if (json) {
    out("{}\n", json_text({{"table", outcome.table}, {"cost", outcome.cost}}));
  } else {
    write_lines(experiment::table_markdown(outcome.table, outcome.cost));
  }
  flush_out();
  for (const std::string& failure : outcome.failures) say("evenkeel: failed: {}", failure);
  for (const std::string& missing : outcome.missing) say("evenkeel: missing: {}", missing);
  say("evenkeel: the tables are {0}/table.md, .csv, .tex and .json; the runs are in {0}/runs",
      request.out);
  if (!outcome.missing.empty()) return static_cast<int>(ErrorKind::kData);
  return outcome.failures.empty() ? 0 : static_cast<int>(ErrorKind::kRun);
}

int experiment_command(const ExperimentArguments& options) {
  if (options.summary) {
    if (options.json) fail_config("--summary prints a page; leave --json out");
    write_lines(experiment::results_page({options.files, options.tables, options.below}));
    return 0;
  }
  if (!options.tables.empty() || !options.below.empty()) {
    fail_config("--tables and --below belong to --summary, which writes the page of results");
  }
  const experiment::ExperimentRequest request = request_of(options);
  if (options.json && options.dry_run) {
    fail_config("--json prints the tables, and --dry-run makes none; give one of them");
  }
  if (options.dry_run) return dry_run(request);
  const StopSignals signals;
  ExperimentProgress progress(options.quiet);
  return interruptible(progress, "the same command goes on from there", [&] {
    const experiment::ExperimentOutcome outcome =
        experiment::run_experiment(request, progress, signals.stop());
    progress.finish();
    return finish(request, outcome, options.json);
  });
}

}  // namespace

Action add_experiment(CLI::App& app) {
  auto options = std::make_shared<ExperimentArguments>();
  app.add_option("file", options->files, "experiment file (with --summary: result folders)")
      ->required()
      ->type_name("FILE");
  app.add_option("-o,--out", options->out, "folder to write (default: results/NAME)")
      ->type_name("DIR");
  app.add_option("--data-root", options->data_root, "where the file's data paths begin")
      ->type_name("DIR");
  app.add_option("--only", options->only,
                 "only this data set or encoder of the file; may be repeated")
      ->type_name("NAME");
  app.add_option("--jobs", options->jobs, "runs at once; they share the cores")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--threads", options->threads, "threads of each run (0: the cores / jobs)")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_flag("--dry-run", options->dry_run, "show what would be run, and roughly how long");
  app.add_flag("--summary", options->summary, "print one page from the tables of these folders");
  app.add_option("--tables", options->tables,
                 "of --summary: the paper's tables and what each needs; the page opens with them")
      ->type_name("FILE");
  app.add_option("--below", options->below, "of --summary: Markdown to put below, as it is")
      ->type_name("FILE");
  app.add_flag("--quiet", options->quiet, "no progress");
  app.add_flag("--json", options->json, "the tables and what they cost as one JSON object");
  return [options] { return experiment_command(*options); };
}

}  // namespace evenkeel::cli
