// In: jobs. Out: finished run folders, as many at once as asked for.
#include "experiment/jobs.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "base/threads.h"
#include "encoder/registry.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "train/complete_settings.h"
#include "train/options.h"
#include "train/run.h"
#include "train/run_result.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string file_of(const Job& job, std::string_view name) {
  return job.folder + "/" + std::string(name);
}

bool lists(const std::vector<Field>& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

// An option of other entries of the table only: this one does not know it.
template <typename Entry>
bool is_foreign(std::span<const Entry> table, const Entry& own, std::string_view name) {
  return !lists(own.fields, name) &&
         std::any_of(table.begin(), table.end(),
                     [&](const Entry& entry) { return lists(entry.fields, name); });
}

// Options that a run may resolve by the data, or that do not change what it computes.
bool may_differ(const Settings& settings, const loss::LossEntry& loss, const Field& field) {
  const std::string_view name = field.name;
  if (is_foreign(loss::losses(), loss, name) ||
      is_foreign(encoder::encoders(), encoder::find_encoder(settings.text("encoder")), name)) {
    return true;
  }
  if (field.effect == Effect::kSpeed || field.effect == Effect::kLabel) return true;
  if (name == "batch" || name == "tau") return !settings.is_set(name);
  if (name == "eval-every") return settings.integer(name) == 0;
  return loss.make_batch != nullptr && (name == "negatives" || name == "shared-negatives");
}

// A default that has changed since makes an old result stale, although the file asks for the same.
bool is_current(const json& config, Settings settings) {
  train::resolve_defaults(settings);
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  for (const Field* field : settings.fields()) {
    const auto known = config.find(std::string(field->name));
    if (may_differ(settings, loss, *field)) continue;
    const bool older = known == config.end();
    if (older && !field->before) continue;
    const json then = older ? train::value_json(*field->before) : *known;
    if (then != train::value_json(settings.value(field->name))) return false;
  }
  return true;
}

// Takes over what the reusable folder has finished: the same settings give the same bytes. The
// result comes last, so that a kill in between only costs the time.
void adopt_reusable(const Job& job) {
  Job reusable = job;
  reusable.folder = job.reusable_folder;
  if (job.reusable_folder.empty() || !fs::exists(file_of(reusable, train::run_files::kModel)))
    return;
  if (finished_result(job) || !finished_result(reusable)) return;
  fs::create_directories(job.folder);
  fs::rename(file_of(reusable, train::run_files::kModel), file_of(job, train::run_files::kModel));
  for (const std::string_view name :
       {train::run_files::kConfig, train::run_files::kEvents, train::run_files::kResult}) {
    io::write_file_atomically(file_of(job, name), read_regular_file(file_of(reusable, name)));
  }
}

std::string ending_of(const JobResult& result) {
  if (!result.ok()) return result.error;
  const auto figure = validation_of(result);
  return fmt::format(
      "{}{}", figure ? fmt::format("{} {:.4f}, ", figure_name(goal_of(result)), *figure) : "",
      counted(result.result.value("epochs", std::size_t{0}), "epoch"));
}

bool all_numbers(const json& object) {
  return object.is_object() && std::all_of(object.begin(), object.end(),
                                           [](const json& value) { return value.is_number(); });
}

// Whether a record has what the tables are made of: a damaged one is trained again.
bool is_whole(const json& result) {
  const auto part = [&](const char* key) -> json {
    return result.is_object() && result.contains(key) ? result[key] : json();
  };
  const json evaluations = part("evaluations");
  if (evaluations.contains("valid") && !evaluations["valid"].contains("recall@20")) return false;
  return part("config").is_object() && evaluations.is_object() && all_numbers(part("timing")) &&
         part("epochs").is_number_integer() && part("best_epoch").is_number_integer() &&
         std::all_of(evaluations.begin(), evaluations.end(), all_numbers);
}

}  // namespace

std::optional<json> finished_result(const Job& job) {
  json result = io::read_json_file(file_of(job, job.record));
  if (!is_whole(result) || !is_current(result["config"], job.settings)) return std::nullopt;
  return result;
}

double seconds_of(const json& result) {
  if (!result.is_object() || !result.contains("timing")) return 0;
  const auto seconds = [&](const char* key) {
    const json& timing = result["timing"];
    const auto found = timing.find(key);
    return found != timing.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  return seconds("train_seconds") + seconds("evaluate_seconds");
}

eval::Goal goal_of(const JobResult& result) {
  // Runs of earlier versions know one goal.
  return eval::parse_goal(
      result.result["config"].value("goal", std::string(eval::goal_name(eval::Goal::kLogged))));
}

std::string figure_name(eval::Goal goal) {
  if (goal == eval::Goal::kLogged) return "valid recall@20";
  return fmt::format("valid recall@20 ({})", eval::goal_name(goal));
}

std::optional<double> validation_of(const JobResult& result) {
  if (!result.ok() || !result.result["evaluations"].contains("valid")) return std::nullopt;
  const json& valid = result.result["evaluations"]["valid"];
  const eval::GoalFigures figures{valid.at("recall@20").get<double>(),
                                  valid.value("balanced_recall@20", 0.0)};
  return figures.of(goal_of(result));
}

void JobLimits::set_seconds(double seconds) {
  using Clock = std::chrono::steady_clock;
  if (seconds <= 0) return;
  deadline = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Hands a run's epochs on, and ends it when the time is up.
class JobObserver final : public train::Observer {
 public:
  JobObserver(JobRunner& runner, const Job& job) : runner_(runner), job_(job) {}
  bool on_epoch(const train::EpochProgress& news) override {
    const std::lock_guard lock(runner_.mutex_);
    runner_.observer_.on_run_epoch(runner_.news(job_), news);
    return runner_.out_of_time();
  }

 private:
  JobRunner& runner_;
  const Job& job_;
};

bool JobRunner::out_of_time() const {
  return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
}

RunProgress JobRunner::news(const Job& job) const {
  const double slower = measured_expected_ > 0 ? measured_seconds_ / measured_expected_ : -1;
  return {job.label, done_, expected_runs_, slower < 0 ? -1 : slower * expected_seconds_};
}

// One training; a checkpoint that does not fit (another version of the program) is left behind.
JobResult JobRunner::train(const Job& job) {
  const std::string checkpoint = file_of(job, train::run_files::kCheckpoint);
  const bool stale = !job.goes_on && fs::exists(file_of(job, train::run_files::kResult));
  Settings settings = job.settings;
  const int threads =
      limits_.threads > 0 ? limits_.threads : std::max(1, available_cores() / limits_.jobs);
  settings.set("threads", Value(static_cast<std::int64_t>(threads)));
  train::RunRequest request{job.data, job.folder, !stale && fs::exists(checkpoint), true,
                            &extractors_};
  request.stage = job.goes_on;
  JobObserver observer(*this, job);
  for (;;) {
    try {
      json result = train::train_run(request, settings, observer, stop_);
      if (job.record != train::run_files::kResult) {
        io::write_file_atomically(file_of(job, job.record), io::dump_json(result, 2) + "\n");
      }
      fs::remove(file_of(job, "error.json"));
      if (out_of_time()) fs::remove(file_of(job, job.record));  // cut short: no finished run
      return {std::move(result), ""};
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) throw;
      if (request.resume && error.kind() != ErrorKind::kRun) {
        request.resume = false;
        continue;
      }
      fs::create_directories(job.folder);
      io::write_file_atomically(file_of(job, "error.json"),
                                io::dump_json({{"error", error.what()}}) + "\n");
      return {nullptr, error.what()};
    }
  }
}

JobResult JobRunner::run_one(const Job& job) {
  JobResult result;
  bool ran = false;
  adopt_reusable(job);
  if (auto known = finished_result(job)) {
    result.result = std::move(*known);
  } else if (out_of_time()) {
    result.error = "not run: the budget is spent";
  } else {
    {
      const std::lock_guard lock(mutex_);
      observer_.on_run_start(news(job));
    }
    ran = true;
    result = train(job);
  }
  if (result.ok() && job.keep == Keep::kModel && !out_of_time()) {
    fs::remove(file_of(job, train::run_files::kCheckpoint));
  }
  const std::lock_guard lock(mutex_);
  ++done_;
  expected_seconds_ = std::max(0.0, expected_seconds_ - job.expected_seconds);
  if (ran && result.ok()) {
    measured_seconds_ += seconds_of(result.result) / limits_.jobs;
    measured_expected_ += job.expected_seconds;
  }
  if (ran) observer_.on_run_end(news(job), ending_of(result));
  return result;
}

std::vector<JobResult> JobRunner::run(const std::vector<Job>& jobs) {
  std::vector<JobResult> results(jobs.size());
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      try {
        if (stop_) throw Error(ErrorKind::kInterrupted, "stopped between two runs");
        results[i] = run_one(jobs[i]);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure) failure = std::current_exception();
        next = jobs.size();  // the others end the run they are in
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < limits_.jobs; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace evenkeel::experiment
