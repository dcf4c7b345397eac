// In: a training whose temperature nobody knows. Out: the settings that do best on validation.
#include "experiment/auto_tune.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "data/text_file.h"
#include "data/value_text.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "loss/registry.h"
#include "train/run_folder.h"
#include "train/run_result.h"

namespace evenkeel::experiment {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Three rungs of a third each, the first short: on MovieLens-100K, 27 of 90 settings measured after
// four validations end within 2 % of the best of 90 in 99 draws of 100, for 9 % of the epochs; six
// validations gain 0.3 % and cost 11 %.
constexpr std::size_t kCandidates = 27;
constexpr int kFirstValidations = 4;

// What suits the data sets of docs/results.md lies inside these.
struct AutomaticAxis {
  std::string_view name;
  std::vector<double> values;
};
std::vector<AutomaticAxis> automatic_axes() {
  return {{"tau", {0.06, 0.08, 0.1, 0.14, 0.2, 0.3}},
          {"margin-strength", {0.0, 0.1, 0.2, 0.3, 0.5, 1.0}},
          {"tau-weight", {1.0, 2.0, 4.0}},
          {"lr", {5e-4, 1e-3, 2e-3}}};
}

bool matters(const loss::LossEntry& loss, std::string_view name) {
  if (name == "lr") return loss.trains();
  for (const auto& [option, value] : loss.defaults) {
    if (option == name) return false;  // an extra of this loss, off unless asked for
  }
  return std::any_of(loss.fields.begin(), loss.fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

std::string place_text(const Ranking& ranking, std::size_t place) {
  return fmt::format(
      "{}: {} {:.4f} after {}", options_text(ranking.candidates[place]),
      figure_name(goal_of(ranking.results[place])),
      validation_of(ranking.results[place]).value_or(0),
      counted(ranking.results[place].result.value("epochs", std::size_t{0}), "epoch"));
}

json trials_json(const Ranking& ranking) {
  json trials = json::array();
  for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
    json trial{{"options", options_text(ranking.candidates[i])}};
    if (const auto figure = validation_of(ranking.results[i])) {
      trial["epochs"] = ranking.results[i].result["epochs"];
      trial["valid"] = ranking.results[i].result["evaluations"]["valid"];
      trial["figure"] = *figure;
    } else {
      trial["error"] = ranking.results[i].error;
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

// What the search of a finished run chose, where the command leaves it open.
Settings with_choice_of(const train::RunFolder& run, const Settings& settings) {
  Settings finished = train::run_settings(), chosen = settings;
  finished.load_toml(run.file(train::run_files::kConfig));
  for (const SearchAxis& axis : automatic_space(settings)) {
    chosen.set(axis.name, finished.value(axis.name));
  }
  return chosen;
}

json texts_of(const Options& options) {
  json texts = json::object();
  for (const Option& option : options) texts[option.name] = data::plain_text(option.value);
  return texts;
}

Options options_of(const Settings& settings) {
  Options options;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name)) continue;
    options.push_back({std::string(field->name), settings.value(field->name)});
  }
  return options;
}

// How a search stands: what it was asked, and once it is over, what it chose and where that is.
void write_pending(const train::RunFolder& folder, const std::string& data,
                   const Settings& settings, const Budget& budget, const AutoChoice* choice) {
  json pending{{"data", train::absolute_path(data)},
               {"settings", texts_of(options_of(settings))},
               {"budget", {{"candidates", budget.candidates}, {"seconds", budget.seconds}}}};
  if (choice != nullptr) {
    pending["chosen"] = texts_of(choice->chosen);
    pending["folder"] = fs::path(choice->folder).lexically_relative(folder.path()).string();
  }
  io::write_file_atomically(folder.file(train::run_files::kPending),
                            io::dump_json(pending, 2) + "\n");
}

json read_pending(const std::string& place) {
  if (!train::has_run_file(place, train::run_files::kPending)) return nullptr;
  const std::string path = train::run_file(place, train::run_files::kPending);
  json pending = io::read_json_file(path);
  if (!pending.is_object()) fail_data("{}: damaged; start anew without --resume", path);
  return pending;
}

// Those of `texts` that are not set.
void add_texts(const json& texts, const std::string& path, Settings& settings) {
  for (const auto& [name, text] : texts.items()) {
    if (!settings.has(name) || !settings.is_set(name)) {
      settings.set(name, std::string_view(text.get_ref<const std::string&>()), path);
    }
  }
}

// The choice of a search that is over, from its record.
AutoChoice earlier_choice(const json& pending, const train::RunFolder& folder,
                          const Settings& settings) {
  AutoChoice choice{settings, {}, "", "", ""};
  const std::string path = folder.file(train::run_files::kPending);
  try {
    add_texts(pending.at("chosen"), path, choice.settings);
    for (const auto& [name, text] : pending.at("chosen").items()) {
      choice.chosen.push_back({name, choice.settings.value(name)});
    }
    choice.folder = folder.file(pending.at("folder").get<std::string>());
  } catch (const json::exception&) {
    fail_data("{}: damaged; start anew without --resume", path);
  }
  choice.why = fmt::format("going on with {}, which the search chose", options_text(choice.chosen));
  return choice;
}

// Searches in the folder, or takes what a search there has chosen before.
AutoChoice choice_in(train::RunFolder& folder, const train::RunRequest& request,
                     const Settings& settings, const Budget& budget, const json& pending,
                     ExperimentObserver& observer, const std::atomic<bool>& stop) {
  if (pending.is_object() && pending.contains("chosen")) {
    AutoChoice choice = earlier_choice(pending, folder, settings);
    folder.begin_search(false);
    return choice;
  }
  const auto begin = [&] {
    folder.begin_search(pending.is_null());
    write_pending(folder, request.data, settings, budget, nullptr);
  };
  AutoChoice choice =
      choose_settings(request.data, settings, budget, folder.file(train::run_files::kSearch),
                      observer, stop, begin);
  if (!choice.chosen.empty()) {
    write_pending(folder, request.data, settings, budget, &choice);
  }
  return choice;
}

}  // namespace

Budget parse_budget(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const double scale = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (failure == std::errc() && unit.empty() && number >= 1 && number == std::floor(number) &&
      number < 1e6) {
    return {static_cast<std::size_t>(number), 0};
  }
  if (failure != std::errc() || scale == 0 || !(number > 0)) {
    fail_config(
        "--budget is '{}'; give a number of settings to try, or a time such as 90s, 10m "
        "or 2h",
        text);
  }
  return {0, number * scale};
}

SearchAxis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size()) {
    fail_config("--space is '{}'; write an option and its values, as in tau=0.06,0.08", text);
  }
  SearchAxis axis{std::string(text.substr(0, equals)), {}};
  for (std::string_view rest = text.substr(equals + 1); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    Settings checked = train::run_settings();
    checked.set(axis.name, rest.substr(0, comma), "--space " + axis.name);
    axis.values.push_back(checked.value(axis.name));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return axis;
}

Plan single_plan(const std::string& data, const Settings& settings, SearchSpace space) {
  if (data::is_stream(data)) {
    fail_config("a search reads the data once for every setting; write it to a file, give that");
  }
  Plan plan;
  plan.title = plan.file = data;
  plan.seeds = {static_cast<std::uint64_t>(settings.integer("seed"))};
  plan.tuning_seed = plan.seeds.front();
  DataPlan one;
  one.name = fs::path(data).lexically_normal().filename().string();
  one.path = fs::absolute(data).lexically_normal().string();
  one.cut_by_runs = true;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name)) continue;
    one.options.push_back({std::string(field->name), settings.value(field->name)});
  }
  plan.data.push_back(std::move(one));
  plan.encoders.push_back({settings.text("encoder"), {}});
  plan.methods.push_back({settings.text("loss"), {}, std::move(space), false, {}, {}});
  return plan;
}

SearchSpace automatic_space(const Settings& settings) {
  const loss::LossEntry& loss = loss::find_loss(settings.text("loss"));
  SearchSpace space;
  for (const AutomaticAxis& axis : automatic_axes()) {
    if (settings.is_set(axis.name) || !matters(loss, axis.name)) continue;
    space.push_back({std::string(axis.name), {axis.values.begin(), axis.values.end()}});
  }
  return space;
}

AutoChoice choose_settings(const std::string& data, const Settings& settings, const Budget& budget,
                           const std::string& out, ExperimentObserver& observer,
                           const std::atomic<bool>& stop, const std::function<void()>& begin) {
  AutoChoice choice{settings, {}, "", "", ""};
  ExperimentRequest request;
  request.plan = single_plan(data, settings, automatic_space(settings));
  request.plan.tuning.kind = TuningKind::kHalving;
  request.plan.tuning.keep_tables = true;
  request.plan.tuning.candidates = kCandidates;
  request.plan.tuning.first_validations = kFirstValidations;
  if (budget.candidates > 0) {
    request.plan.tuning.candidates = std::max<std::size_t>(2, budget.candidates);
  }
  request.out = out;
  request.begin = begin;
  request.limits.threads = static_cast<int>(settings.integer("threads"));
  request.limits.set_seconds(budget.seconds);
  if (request.plan.methods.front().search.empty()) {
    choice.why = "there is nothing left to choose: every option that --auto would try is set";
    return choice;
  }
  const Ranking ranking = run_sweep(request, observer, stop).front();
  if (!ranking.problem.empty()) throw Error(ErrorKind::kData, ranking.problem);
  if (!validation_of(ranking.results.front())) {
    fail_run("--auto found no setting that trains: {}", ranking.results.front().error);
  }
  choice.chosen = ranking.candidates.front();
  for (const Option& option : choice.chosen) choice.settings.set(option.name, option.value);
  choice.why = fmt::format("chose {}, the best of {} settings", place_text(ranking, 0),
                           ranking.candidates.size());
  if (ranking.candidates.size() > 1) {
    choice.beside = fmt::format("next best, {}; last, {}", place_text(ranking, 1),
                                place_text(ranking, ranking.candidates.size() - 1));
  }
  choice.folder = ranking.folder;
  io::write_file_atomically(out + "/trials.json", io::dump_json(trials_json(ranking), 2) + "\n");
  return choice;
}

std::optional<PendingSearch> pending_search(const std::string& run) {
  const std::string place = train::training_place(run);
  if (train::has_run_file(place, train::run_files::kResult)) return std::nullopt;
  const json pending = read_pending(place);
  if (pending.is_null()) return std::nullopt;
  const std::string path = train::run_file(place, train::run_files::kPending);
  PendingSearch search{"", train::run_settings(), {}};
  try {
    add_texts(pending.at("settings"), path, search.settings);
    search.data = pending.at("data").get<std::string>();
    search.budget = {pending.at("budget").at("candidates").get<std::size_t>(),
                     pending.at("budget").at("seconds").get<double>()};
  } catch (const json::exception&) {
    fail_data("{}: damaged; start anew without --resume", path);
  }
  return search;
}

json train_auto(const train::RunRequest& given, const Settings& settings, const Budget& budget,
                ExperimentObserver& search_observer, train::Observer& observer,
                const std::atomic<bool>& stop) {
  train::RunRequest request = given;
  if (request.out.empty()) fail_config("--out is empty; name the run folder to write");
  train::RunFolder folder(request.out, {request.resume, request.overwrite});
  request.folder = &folder;
  const json pending = request.resume ? read_pending(folder.path()) : nullptr;
  if (request.resume && pending.is_null() && folder.has(train::run_files::kConfig)) {
    if (!folder.has(train::run_files::kTrials)) {
      fail_config(
          "{} holds a training that --auto did not begin; leave --auto out, or start anew "
          "with --overwrite instead of --resume",
          request.out);
    }
    return train::train_run(request, with_choice_of(folder, settings), observer, stop);
  }
  try {
    const AutoChoice choice =
        choice_in(folder, request, settings, budget, pending, search_observer, stop);
    search_observer.on_message(choice.why);
    if (!choice.beside.empty()) search_observer.on_message(choice.beside);
    const std::string checkpoint = train::run_file(choice.folder, train::run_files::kCheckpoint);
    if (!choice.chosen.empty() && fs::exists(checkpoint)) request.start_from = checkpoint;
    return train::train_run(request, choice.settings, observer, stop);
  } catch (const Error& error) {
    const bool goes_on = error.kind() == ErrorKind::kInterrupted || pending.is_object();
    if (!goes_on) folder.drop_search();
    throw;
  }
}

}  // namespace evenkeel::experiment
