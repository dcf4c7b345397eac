// In: cells. Out: candidates trained rung by rung, all cells of a rung side by side.
#include "experiment/tuner.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "experiment/cost_model.h"
#include "experiment/run_paths.h"
#include "train/complete_settings.h"
#include "train/options.h"
#include "train/run_folder.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;

std::vector<int> rungs_of(const Plan& plan, const PreparedData& data, const Cell& cell,
                          std::size_t candidates) {
  if (plan.tuning.kind != TuningKind::kHalving) return {kAllEpochs};
  Settings settings = settings_of(plan, cell, {}, plan.tuning_seed);
  train::fit_to_data(settings, data.data.interactions());
  const auto every = static_cast<int>(settings.integer("eval-every"));
  const int first = plan.tuning.first_epochs > 0 ? plan.tuning.first_epochs
                                                 : plan.tuning.first_validations * every;
  // A rung ends with a validation: between two others, it would change when training stops.
  return halving_rungs(candidates, (first + every - 1) / every * every,
                       static_cast<int>(settings.integer("epochs")));
}

// Candidates of one temperature are a family.
std::vector<std::size_t> families_of(const std::vector<Options>& candidates) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> families;
  for (const Options& candidate : candidates) {
    std::string tau;
    for (const Option& option : candidate) {
      if (option.name == "tau") tau = to_text(option.value);
    }
    families.push_back(numbers.emplace(tau, numbers.size()).first->second);
  }
  return families;
}

Job tuning_job(const Plan& plan, const PreparedData& data, const Cell& cell,
               const Options& candidate, int epochs, const std::string& out) {
  Job job;
  job.settings = settings_of(plan, cell, candidate, plan.tuning_seed);
  const std::string words = options_text(candidate);
  job.folder = run_folder(out, "tune", cell, words, job.settings);
  job.data = data.path;
  job.label = fmt::format("{} {} {}: {}", cell.data->name, cell.encoder->name, cell.method->name,
                          words.empty() ? "as given" : words);
  job.expected_seconds = expected_seconds(job.settings, data.data.interactions());
  job.keep = plan.tuning.keep_tables ? Keep::kAll : Keep::kModel;
  job.goes_on = plan.tuning.kind == TuningKind::kHalving;
  if (epochs != kAllEpochs) {
    job.keep = Keep::kAll;
    job.settings.set("epochs", Value(static_cast<std::int64_t>(epochs)));
    job.record = fmt::format("rung-{}.json", epochs);
    job.label += fmt::format(" ({} epochs)", epochs);
    job.expected_seconds = expected_seconds(job.settings, data.data.interactions());
  }
  return job;
}

// The rung that `search` is in, as jobs.
std::vector<Job> rung_jobs(const Plan& plan, const PreparedData& data, const TunedCell& tuned,
                           const Search& search, const std::string& out) {
  std::vector<Job> jobs;
  for (const std::size_t i : search.running()) {
    jobs.push_back(tuning_job(plan, data, tuned.cell, tuned.candidates[i], search.epochs(), out));
  }
  return jobs;
}

// Moves the results of a rung into the cell, from `result` on.
void take_rung(TunedCell& tuned, Search& search, std::vector<JobResult>::iterator& result) {
  std::vector<std::optional<double>> figures;
  for (const std::size_t i : search.running()) {
    figures.push_back(validation_of(*result));
    if (result->ok() && !figures.back()) {
      result->error = "there is no validation part to choose by; give --validation above 0";
    }
    if (figures.back() || !tuned.results[i].ok()) tuned.results[i] = std::move(*result);
    ++result;
  }
  search.report(figures);
}

// The tables of all candidates but the best, whose model one of the final runs may take over.
void drop_tables(const Plan& plan, const TunedCell& tuned, const std::string& out) {
  for (const Search::Place& place : tuned.ranking) {
    const std::string folder = tuning_folder(plan, tuned, tuned.candidates[place.candidate], out);
    fs::remove(train::run_file(folder, train::run_files::kCheckpoint));
    if (&place != &tuned.ranking.front()) {
      fs::remove(train::run_file(folder, train::run_files::kModel));
    }
  }
}

}  // namespace

std::vector<TunedCell> tune_cells(const Plan& plan, const PreparedData& data,
                                  const std::vector<Cell>& cells, const std::string& out,
                                  JobRunner& runner) {
  std::vector<TunedCell> tuned;
  std::vector<Search> searches;
  for (const Cell& cell : cells) {
    TunedCell one{cell, candidates_of(cell.method->search, plan.tuning, plan.tuning_seed), {}};
    one.results.resize(one.candidates.size());
    searches.emplace_back(one.candidates.size(), rungs_of(plan, data, cell, one.candidates.size()),
                          families_of(one.candidates));
    tuned.push_back(std::move(one));
  }
  for (;;) {  // a rung of every cell
    std::vector<Job> jobs;
    for (std::size_t c = 0; c < tuned.size(); ++c) {
      if (!tuned[c].tunes() || searches[c].done()) continue;
      for (Job& job : rung_jobs(plan, data, tuned[c], searches[c], out)) {
        jobs.push_back(std::move(job));
      }
    }
    if (jobs.empty()) break;
    std::vector<JobResult> results = runner.run(jobs);
    auto result = results.begin();
    for (std::size_t c = 0; c < tuned.size(); ++c) {
      if (tuned[c].tunes() && !searches[c].done()) take_rung(tuned[c], searches[c], result);
    }
  }
  for (std::size_t c = 0; c < tuned.size(); ++c) {
    tuned[c].ranking = searches[c].ranking();
    if (!plan.tuning.keep_tables && !runner.out_of_time()) drop_tables(plan, tuned[c], out);
  }
  return tuned;
}

std::string tuning_folder(const Plan& plan, const TunedCell& tuned, const Options& candidate,
                          const std::string& out) {
  return run_folder(out, "tune", tuned.cell, options_text(candidate),
                    settings_of(plan, tuned.cell, candidate, plan.tuning_seed));
}

Workload tuning_workload(const Plan& plan, const PreparedData& data, const Cell& cell,
                         const std::string& out) {
  Workload load;
  const auto candidates = candidates_of(cell.method->search, plan.tuning, plan.tuning_seed);
  if (candidates.size() <= 1) return load;
  std::size_t running = candidates.size();
  for (const int epochs : rungs_of(plan, data, cell, candidates.size())) {
    for (std::size_t i = 0; i < running; ++i) {  // who goes on is not known yet: any will do
      const Job job = tuning_job(plan, data, cell, candidates[i], epochs, out);
      ++load.runs;
      if (finished_result(job)) {
        ++load.done;
      } else {
        load.seconds += job.expected_seconds;
      }
    }
    running = (running + kCut - 1) / kCut;
  }
  return load;
}

}  // namespace evenkeel::experiment
