// In: a run folder. Out: opened, read, or written.
#include "train/run_record.h"

#include <exception>

#include "base/error.h"
#include "cluster/agreement.h"
#include "cluster/held_rows.h"
#include "data/split.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "model/save_held.h"
#include "train/checkpoint.h"
#include "train/complete_settings.h"
#include "train/row_stream.h"
#include "train/run_data.h"
#include "train/run_result.h"
#include "train/warm_start.h"

namespace evenkeel::train {

using nlohmann::json;

namespace {

// Rows of users come from the ranks that hold them, a few at a time.
void save_model_of_ranks(const model::Model& model, const std::string& path,
                         cluster::Cluster& ranks) {
  RowStream stream(ranks);
  auto users = stream.add(model.users, cluster::row_cuts(ranks, model.users));
  std::exception_ptr failure;
  try {
    if (ranks.first()) model::save_model(model, path, std::move(users));
  } catch (const Error&) {
    failure = std::current_exception();
  }
  stream.finish();
  cluster::on_first_rank(ranks, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace

RunFolder& open_folder(const RunRequest& request, std::optional<RunFolder>& own) {
  cluster::Cluster& ranks = *request.ranks;
  if (request.folder != nullptr) return *request.folder;
  if (request.out.empty()) return own.emplace();
  cluster::on_first_rank(ranks, [&] {
    own.emplace(request.out, FolderUse{request.resume, request.overwrite});
  });
  const std::string path = cluster::text_of_first(ranks, own ? own->path() : "");
  if (!own) own.emplace(RunFolder::OfFirstRank{path});
  return *own;
}

std::optional<model::Model> start_of(const RunRequest& request, const Settings& settings) {
  const std::string& run = settings.text("from");
  if (run.empty()) return std::nullopt;
  const std::string place = training_place(request.out);
  if (!request.resume || !has_run_file(place, run_files::kStart)) {
    return starting_rows(run, settings);
  }
  model::Model rows = model::load_model(run_file(place, run_files::kStart));
  check_starting_rows(rows, settings, run);
  return rows;
}

bool was_finished(const RunContext& run, const data::Dataset& data) {
  const RunFolder& folder = run.folder;
  const Settings& settings = run.settings;
  if (!run.request.resume || !folder.has(run_files::kResult) ||
      folder.has(run_files::kCheckpoint)) {
    return false;
  }
  const std::string path = folder.file(run_files::kConfig);
  Settings then = run_settings();
  then.load_toml(path);
  resolve_defaults(then);
  check_same_settings(fixed_settings(then), settings, path);
  if (settings.integer("epochs") != then.integer("epochs")) {
    fail_config("{} has no checkpoint to go on from to epoch {}; train anew with --overwrite",
                folder.path(), settings.integer("epochs"));
  }
  const model::Model model = model::load_model(folder.file(run_files::kModel));
  const data::Dataset trained =
      settings.flag("refit") ? data::merge_into_train(data, is_log(run.request)) : data;
  if (model.origin.fingerprint != data::fingerprint(trained)) {
    fail_config("the data is not what {} was made from; start anew with --overwrite",
                folder.path());
  }
  return true;
}

FinishedRun finished_before(const RunContext& run) {
  FinishedRun finished{{}, json::object()};
  cluster::on_first_rank(run.ranks, [&] {
    finished = {model::load_model(run.folder.file(run_files::kModel)),
                read_result(run.folder.file(run_files::kResult))};
    std::string given;
    for (const Change& change : changes(run)) {
      given +=
          fmt::format("{} --{} {}", given.empty() ? ", without" : " and", change.name, change.now);
    }
    run.observer.on_message(
        fmt::format("{} is finished and has nothing left to train; it stays "
                    "as it is{}",
                    run.folder.path(), given));
  });
  return finished;
}

FinishedRun record(const RunContext& run, Trained trained) {
  const RunRequest& request = run.request;
  json& result = trained.result;
  if (run.start != nullptr) {
    const model::Model& model = trained.model;
    result["from"] = start_json(run.settings.text("from"), *run.start,
                                start_cover(*run.start, model.user_ids, model.item_ids));
  }
  for (const auto& [name, text] : request.notes) trained.model.notes[name] = text;
  result["peak_memory_bytes"] = peak_memory();
  result["processor"] = processor();
  result["fingerprint"] = trained.model.origin.fingerprint;
  result["held_out_share"] = held_out_share(trained.model);
  if (!request.data.empty()) result["data"] = absolute_path(request.data);
  result["config"] = config_json(run.settings);
  const bool held = !trained.model.users.holds_all();
  if (held && cluster::any(run.ranks, run.folder.writes())) {
    save_model_of_ranks(trained.model, run.folder.file(run_files::kModel), run.ranks);
  }
  cluster::on_first_rank(run.ranks, [&] {
    if (!run.folder.writes()) return;
    if (!held) model::save_model(trained.model, run.folder.file(run_files::kModel));
    io::write_file_atomically(run.folder.file(run_files::kResult), io::dump_json(result, 2) + "\n");
    run.folder.finish();
  });
  return {std::move(trained.model), std::move(result)};
}

void record_failure(const RunContext& run, const std::string& reason) {
  run.folder.fail(io::dump_json(json{{"error", reason},
                                     {"data", absolute_path(run.request.data)},
                                     {"config", config_json(run.settings)}},
                                2) +
                  "\n");
}

}  // namespace evenkeel::train
