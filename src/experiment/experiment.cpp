// In: a plan. Out: prepare data -> for each data set and encoder { tune -> train with every seed ->
// tables }.
#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "data/prepared.h"
#include "data/split.h"
#include "experiment/compare.h"
#include "experiment/cost_model.h"
#include "experiment/machine.h"
#include "experiment/prepare_data.h"
#include "experiment/render.h"
#include "experiment/run_paths.h"
#include "experiment/table_block.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "train/complete_settings.h"
#include "train/run_folder.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

Job final_job(const Plan& plan, const PreparedData& data, const Cell& cell, const Options& chosen,
              std::uint64_t seed, const std::string& out) {
  Job job;
  job.settings = settings_of(plan, cell, chosen, seed);
  job.folder = run_folder(out, "runs", cell, fmt::format("seed-{}", seed), job.settings);
  job.data = data.path;
  job.label = fmt::format("{} {} {}: seed {}", cell.data->name, cell.encoder->name,
                          cell.method->name, seed);
  job.expected_seconds = expected_seconds(job.settings, data.data.interactions());
  return job;
}

Workload final_workload(const Plan& plan, const PreparedData& data, const Cell& cell,
                        const std::string& out) {
  Workload load;
  const auto candidates = candidates_of(cell.method->search, plan.tuning, plan.tuning_seed);
  for (const std::uint64_t seed : plan.seeds) {
    ++load.runs;
    const Job job = final_job(plan, data, cell, candidates.front(), seed, out);
    if (candidates.size() == 1 && finished_result(job)) {  // of others the winner is not known
      ++load.done;
    } else {
      load.seconds += job.expected_seconds;
    }
  }
  return load;
}

// Mean seconds of the cell's runs that are finished in `out`; 0 where there are none.
double measured_seconds(const std::string& out, const Cell& cell) {
  std::vector<double> seconds;
  for (const char* stage : {"tune", "runs"}) {
    const std::string folder = method_folder(out, stage, cell);
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      const json result =
          io::read_json_file(train::run_file(entry.path(), train::run_files::kResult));
      if (const double one = seconds_of(result); one > 0) seconds.push_back(one);
    }
  }
  return seconds.empty() ? 0 : spread_of(seconds).mean;
}

// Everything an experiment will run, so that progress can say how much is left.
void expect_all(const Plan& plan, const std::vector<PreparedData>& all, const std::string& out,
                bool with_final, JobRunner& runner) {
  for (const PreparedData& data : all) {
    if (!data.error.empty()) continue;
    for (const EncoderPlan& encoder : plan.encoders) {
      for (const Cell& cell : cells_of(plan, *data.plan, encoder)) {
        const Workload tuning = tuning_workload(plan, data, cell, out);
        runner.expect(tuning.runs, tuning.seconds);
        if (!with_final) continue;
        const Workload last = final_workload(plan, data, cell, out);
        runner.expect(last.runs, last.seconds);
      }
    }
  }
}

std::string first_error(const std::vector<JobResult>& results) {
  for (const JobResult& result : results) {
    if (!result.error.empty()) return result.error;
  }
  return "";
}

// The best candidate; for a refit with the epochs that were best, on all of train.
Options final_options(const Plan& plan, const PreparedData& data, const TunedCell& tuned) {
  Options options = tuned.best();
  if (!plan.tuning.refit || !tuned.tunes() || data.data.valid.interactions() > 0) return options;
  const json& result = tuned.best_result().result;
  options.push_back({"validation", Value(0.0)});
  options.push_back({"epochs", Value(result.at("best_epoch").get<std::int64_t>())});
  return options;
}

// The best candidate of every cell with every seed.
std::vector<FinishedCell> train_best(const Plan& plan, const PreparedData& data,
                                     std::vector<TunedCell> tuned, const std::string& out,
                                     JobRunner& runner) {
  std::vector<FinishedCell> finished;
  std::vector<Job> jobs;
  for (TunedCell& one : tuned) {
    FinishedCell cell;
    if (one.failed()) cell.error = first_error(one.results);
    const Options chosen = cell.error.empty() ? final_options(plan, data, one) : Options();
    for (std::size_t s = 0; s < plan.seeds.size() && cell.error.empty(); ++s) {
      jobs.push_back(final_job(plan, data, one.cell, chosen, plan.seeds[s], out));
      cell.folders.push_back(jobs.back().folder);
      if (one.tunes() && plan.seeds[s] == plan.tuning_seed) {
        jobs.back().reusable_folder = tuning_folder(plan, one, one.best(), out);
      }
    }
    cell.tuned = std::move(one);
    finished.push_back(std::move(cell));
  }
  std::vector<JobResult> results = runner.run(jobs);
  auto result = results.begin();
  for (FinishedCell& cell : finished) {
    for (std::size_t s = 0; s < cell.folders.size(); ++s) cell.runs.push_back(std::move(*result++));
    if (cell.error.empty()) cell.error = first_error(cell.runs);
  }
  return finished;
}

// Why a candidate cannot be trained and compared, as far as can be told beforehand.
std::string refusal(const PreparedData& data, const Settings& given) {
  train::Observer silent;
  const Settings wanted = data::data_settings(data.path, given);
  if (wanted.text("split") == data::kNoSplit && data::comes_from_log(data.path)) {
    return "--split none leaves no validation part, and a search has nothing to choose by without "
           "one; leave it out (--refit trains on all of the log in the end)";
  }
  try {
    train::complete_settings(wanted, silent);
  } catch (const Error& error) {
    return error.what();
  }
  if (data.data.valid.interactions() > 0 || wanted.number("validation") > 0) return "";
  return fmt::format("{}: there is no validation part to choose by; give --validation above 0",
                     data.path);
}

// Settings that no candidate can be trained with are refused at once.
void check_sweep(const Plan& plan, const PreparedData& data) {
  std::string first;
  for (const EncoderPlan& encoder : plan.encoders) {
    for (const Cell& cell : cells_of(plan, *data.plan, encoder)) {
      for (const Options& candidate :
           candidates_of(cell.method->search, plan.tuning, plan.tuning_seed)) {
        std::string why = refusal(data, settings_of(plan, cell, candidate, plan.tuning_seed));
        if (why.empty()) return;
        if (first.empty()) first = std::move(why);
      }
    }
  }
  if (!first.empty()) throw Error(ErrorKind::kConfig, first);
}

json empty_table(const Plan& plan) {
  return {{"title", plan.title}, {"reproduces", plan.reproduces}, {"notes", plan.notes},
          {"k", plan.k},         {"seeds", plan.seeds},           {"blocks", json::array()}};
}

json empty_cost(const ExperimentRequest& request) {
  return {{"command", request.command},
          {"machine", machine_json()},
          {"seconds", 0.0},
          {"blocks", json::array()}};
}

void write_tables(const std::string& out, json& table, const json& cost) {
  adjust_comparisons(table);
  std::filesystem::create_directories(out);
  const std::string head = "# " + table["title"].get<std::string>() + "\n\n";
  io::write_file_atomically(out + "/table.json", io::dump_json(table, 2) + "\n");
  io::write_file_atomically(out + "/cost.json", io::dump_json(cost, 2) + "\n");
  io::write_file_atomically(out + "/table.md", head + table_markdown(table, cost, 2));
  io::write_file_atomically(out + "/table.csv", table_csv(table));
  io::write_file_atomically(out + "/table.tex", table_tex(table));
}

void add_cost(json& cost, json block) {
  for (const json& row : block["rows"]) {
    cost["seconds"] = cost["seconds"].get<double>() + row["seconds"].get<double>();
  }
  cost["blocks"].push_back(std::move(block));
}

}  // namespace

ExperimentOutcome run_experiment(const ExperimentRequest& request, ExperimentObserver& observer,
                                 const std::atomic<bool>& stop) {
  const Plan& plan = request.plan;
  Threads threads(request.limits.threads);
  ExperimentOutcome outcome{empty_table(plan), empty_cost(request), {}, {}};
  const std::vector<PreparedData> all = prepare_data(plan, request.out, threads);
  JobRunner runner(request.limits, observer, stop);
  expect_all(plan, all, request.out, true, runner);
  for (const PreparedData& data : all) {
    if (!data.error.empty()) {
      observer.on_message(fmt::format("{} is left out: {}", data.plan->name, data.error));
      outcome.missing.push_back(data.error);
    }
    for (const EncoderPlan& encoder : plan.encoders) {
      if (!data.error.empty()) {
        outcome.table["blocks"].push_back(
            {{"data", data.plan->name}, {"encoder", encoder.name}, {"error", data.error}});
        continue;
      }
      const std::vector<Cell> cells = cells_of(plan, *data.plan, encoder);
      if (cells.empty()) continue;
      const std::vector<FinishedCell> finished = train_best(
          plan, data, tune_cells(plan, data, cells, request.out, runner), request.out, runner);
      for (const FinishedCell& cell : finished) {
        if (cell.error.empty()) continue;
        outcome.failures.push_back(fmt::format("{} {} {}: {}", data.plan->name, encoder.name,
                                               cell.tuned.cell.method->name, cell.error));
      }
      outcome.table["blocks"].push_back(block_json(plan, data, encoder, finished, threads));
      add_cost(outcome.cost, block_cost(data, encoder, finished));
      write_tables(request.out, outcome.table, outcome.cost);
    }
  }
  write_tables(request.out, outcome.table, outcome.cost);
  return outcome;
}

std::vector<PlannedCell> planned_cells(const ExperimentRequest& request) {
  const Plan& plan = request.plan;
  Threads threads(request.limits.threads);
  std::vector<PlannedCell> planned;
  for (const PreparedData& data : prepare_data(plan, "", threads)) {
    for (const EncoderPlan& encoder : plan.encoders) {
      for (const Cell& cell : cells_of(plan, *data.plan, encoder)) {
        PlannedCell one{
            data.plan->name, encoder.name, cell.method->name, data.error, 0, {}, {}, false};
        if (data.error.empty()) {
          one.candidates = candidates_of(cell.method->search, plan.tuning, plan.tuning_seed).size();
          one.tuning = tuning_workload(plan, data, cell, request.out);
          one.final_runs = final_workload(plan, data, cell, request.out);
          const double measured = measured_seconds(request.out, cell);
          const Settings settings = settings_of(plan, cell, {}, plan.tuning_seed);
          const double expected = expected_seconds(settings, data.data.interactions());
          one.measured = measured > 0;
          one.tuning.seconds *= one.measured ? measured / expected : 1;
          one.final_runs.seconds *= one.measured ? measured / expected : 1;
        }
        planned.push_back(std::move(one));
      }
    }
  }
  return planned;
}

std::vector<Ranking> run_sweep(const ExperimentRequest& request, ExperimentObserver& observer,
                               const std::atomic<bool>& stop) {
  const Plan& plan = request.plan;
  Threads threads(request.limits.threads);
  const std::vector<PreparedData> all = prepare_data(plan, request.out, threads);
  JobRunner runner(request.limits, observer, stop);
  const bool whole = std::all_of(all.begin(), all.end(),
                                 [](const PreparedData& data) { return data.error.empty(); });
  for (const PreparedData& data : all) {
    if (data.error.empty() && data.plan->cut_by_runs) check_sweep(plan, data);
  }
  if (whole && request.begin) request.begin();
  expect_all(plan, all, request.out, false, runner);
  std::vector<Ranking> rankings;
  for (const PreparedData& data : all) {
    for (const EncoderPlan& encoder : plan.encoders) {
      if (!data.error.empty()) {
        rankings.push_back({data.plan->name, encoder.name, "", data.error, {}, {}, ""});
        continue;
      }
      const std::vector<Cell> cells = cells_of(plan, *data.plan, encoder);
      for (TunedCell& tuned : tune_cells(plan, data, cells, request.out, runner)) {
        Ranking ranking{data.plan->name, encoder.name, tuned.cell.method->name, "", {}, {}, ""};
        ranking.folder = tuning_folder(plan, tuned, tuned.best(), request.out);
        for (const Search::Place& place : tuned.ranking) {
          ranking.candidates.push_back(std::move(tuned.candidates[place.candidate]));
          ranking.results.push_back(std::move(tuned.results[place.candidate]));
        }
        rankings.push_back(std::move(ranking));
      }
    }
  }
  return rankings;
}

}  // namespace evenkeel::experiment
