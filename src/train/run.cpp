// In: a request. Out: a run folder. This file is the way of the data:
// read -> dataset -> split -> for each epoch { ... } -> evaluate -> record.
#include "train/run.h"

#include <optional>

#include "base/error.h"
#include "cluster/agreement.h"
#include "data/load.h"
#include "data/prepared.h"
#include "data/read_messages.h"
#include "data/split.h"
#include "train/complete_settings.h"
#include "train/goal_choice.h"
#include "train/rank_checks.h"
#include "train/refit.h"
#include "train/run_data.h"
#include "train/run_record.h"

namespace evenkeel::train {
namespace {

FinishedRun finish_run(const RunRequest& request, RunFolder& folder, const data::Dataset& data,
                       Settings settings, const std::optional<model::Model>& start,
                       Threads& threads, Observer& observer, const std::atomic<bool>& stop) {
  fit_to_data(settings, data.interactions());
  if (settings.flag("refit") && data.valid.interactions() == 0) {
    fail_config("--refit chooses the epoch on validation, but there is none; give --validation");
  }
  check_goal(train_options(settings), data);
  const RunContext run{request,  settings, folder,         threads,
                       observer, stop,     *request.ranks, start ? &*start : nullptr};
  bool finished = false;
  cluster::on_first_rank(*request.ranks, [&] { finished = was_finished(run, data); });
  if (cluster::any(*request.ranks, finished)) return finished_before(run);
  try {
    Trained trained = settings.flag("refit") ? train_with_refit(run, data) : train_once(run, data);
    return trained.idle ? finished_before(run) : record(run, std::move(trained));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) record_failure(run, error.what());
    throw;
  }
}

}  // namespace

json train_run(const RunRequest& request, const Settings& given, Observer& observer,
               const std::atomic<bool>& stop) {
  if (request.out.empty()) fail_config("--out is empty; name the run folder to write");
  return fit_model(request, given, observer, stop).result;
}

FinishedRun fit_model(const RunRequest& request, const Settings& given, Observer& observer,
                      const std::atomic<bool>& stop) {
  std::optional<Settings> made;
  cluster::together(*request.ranks, [&] {
    made = complete_settings(data::data_settings(request.data, given), observer);
  });
  Settings& settings = *made;
  check_ranks(request, settings);
  std::optional<RunFolder> own;
  RunFolder& folder = open_folder(request, own);  // a folder that is refused costs no reading
  std::optional<model::Model> start;
  cluster::together(*request.ranks, [&] { start = start_of(request, settings); });
  Threads threads(static_cast<int>(settings.integer("threads")));
  data::LoadReport report;
  data::Dataset data;
  cluster::together(*request.ranks, [&] {
    // A run of an earlier version may have recorded a share that its split did not take.
    if (is_log(request) && !request.resume) data::refuse_validation(settings);
    data = data::load_for_training(request.data, settings, threads, &report);
    if (!request.resume) refuse_second_validation(request, settings, data, report);
  });
  if (!request.ranks->alone()) {
    cluster::check_alike(*request.ranks, {{"the data's fingerprint", data::fingerprint(data)}});
  }
  for (const std::string& message : data::read_messages(report)) observer.on_message(message);
  describe_data(data, report.held_out_validation, observer);
  if (start) {
    const bool log = is_log(request);
    cluster::together(*request.ranks, [&] {
      data = fitted_to_start(std::move(data), *start, {log || report.held_out_validation, log},
                             settings.text("from"), observer);
    });
  }
  keep_what_trains(data, settings);
  return finish_run(request, folder, data, std::move(settings), start, threads, observer, stop);
}

FinishedRun fit_model(const RunRequest& request, data::Dataset given_data, const Settings& given,
                      Observer& observer, const std::atomic<bool>& stop) {
  if (data::weighs_rows(given)) {
    fail_config(
        "--weight-column and --half-life read columns of a file, and this data comes from memory; "
        "give its weights with it");
  }
  Settings settings = complete_settings(given, observer);
  std::optional<RunFolder> own;
  RunFolder& folder = open_folder(request, own);
  const std::optional<model::Model> start = start_of(request, settings);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const bool had_validation = given_data.valid.interactions() > 0;
  const bool whole = request.log_in_memory && settings.text("split") == data::kNoSplit;
  data::Dataset data =
      data::hold_out_validation(std::move(given_data), whole ? 0.0 : settings.number("validation"),
                                static_cast<std::uint64_t>(settings.integer("seed")));
  data::set_candidates(data, settings);
  describe_data(data, !had_validation && !whole, observer);
  if (start) {
    data = fitted_to_start(std::move(data), *start, {!had_validation, false}, settings.text("from"),
                           observer);
  }
  keep_what_trains(data, settings);
  return finish_run(request, folder, data, std::move(settings), start, threads, observer, stop);
}

}  // namespace evenkeel::train
