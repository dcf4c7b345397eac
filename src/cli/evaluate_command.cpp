// In: a run folder and data. Out: the metrics of validation and of every test.
#include "eval/evaluate.h"

#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/result_table.h"
#include "cli/run_folder.h"
#include "data/options.h"
#include "eval/test_parts.h"

namespace evenkeel::cli {
namespace {

struct Options {
  Options() : bound(fields()), reading(Settings(data::reading_fields())) {}
  static Settings fields() {
    const Field list[] = {top_field("length of the ranked lists"), score_field(), threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  BoundOptions reading;
  std::string run, data, test;
  bool groups = false, json = false, allow_overlap = false;
};

// What the command line says of reading; the rest is as the model's own data was read.
eval::Reading given_reading(const Options& options) {
  const Settings settings = options.reading.resolve();
  eval::Reading reading;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name)) continue;
    reading.emplace_back(field->name, settings.value(field->name));
  }
  return reading;
}

eval::TestParts find_parts(const Options& options, const model::Model& model, Threads& threads) {
  const eval::Reading reading = given_reading(options);
  if (!options.data.empty() && !options.test.empty()) {
    fail_config("give either DATA or --test FILE: {} or {}", options.data, options.test);
  }
  if (!options.test.empty()) return eval::whole_test(model, options.test, reading, threads);
  if (!options.data.empty()) return eval::parts_of_path(model, options.data, reading, threads);
  if (!reading.empty()) {
    fail_config("--{} says how to read a file, but none is named; give DATA or --test FILE",
                reading.front().first);
  }
  return eval::own_parts(model);
}

void say_left_out(const eval::TestParts& parts) {
  if (parts.left_out.users > 0) {
    say("evenkeel: {} users of the data are unknown to the model and left out",
        parts.left_out.users);
  }
  if (parts.left_out.interactions > 0) {
    say("evenkeel: {} interactions with items unknown to the model are left out",
        parts.left_out.interactions);
  }
  if (parts.trained_validation) {
    say("evenkeel: the validation part holds pairs that trained the model and is left out");
  }
}

int evaluate_command(const Options& options) {
  const Settings settings = options.bound.resolve();
  const model::Model model = load_run_model(options.run, settings);
  Threads threads(static_cast<int>(settings.integer("threads")));
  const eval::TestParts parts = find_parts(options, model, threads);
  say_left_out(parts);
  const std::string warning = eval::check_overlap(parts, options.allow_overlap);
  if (!warning.empty()) say("evenkeel: {}", warning);

  eval::EvaluateOptions how;
  how.k = static_cast<std::size_t>(settings.integer("k"));
  how.groups = options.groups;
  nlohmann::json evaluations = nlohmann::json::object(), groups = nlohmann::json::object();
  for (const eval::PartEvaluation& part : eval::evaluate_parts(
           {model.users, model.items, model.score}, parts.data, parts.beside, how, threads)) {
    evaluations[part.part] = eval::to_json(part.evaluation, how.k);
    if (how.groups) groups[part.part] = eval::groups_to_json(part.evaluation, how.k);
  }
  if (evaluations.empty()) {
    fail_data(
        "{}: no validation or test interaction is left to evaluate; give data with a test "
        "part whose users the model knows",
        parts.data.name);
  }
  if (options.json) {
    nlohmann::json answer{{"k", how.k},
                          {"score", model::score_name(model.score)},
                          {"evaluations", std::move(evaluations)}};
    if (how.groups) answer["groups"] = std::move(groups);
    out("{}\n", json_text(answer, 2));
    return 0;
  }
  out("{}", evaluations_table(evaluations, how.k));
  if (how.groups) out("\n{}", groups_table(groups, how.k));
  return 0;
}

}  // namespace

Action add_evaluate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "run folder")->required()->type_name("RUN");
  app.add_option("data", options->data,
                 "data to test on: a folder of parts, or a log (default: the run's own parts)")
      ->type_name("DATA");
  app.add_option("--test", options->test, "an interactions file that is the test, whole")
      ->type_name("FILE");
  app.add_flag("--allow-overlap", options->allow_overlap,
               "evaluate although pairs under test trained the model; their share is said");
  app.add_flag("--groups", options->groups, "also by head, mid and tail items and users");
  app.add_flag("--json", options->json, "one JSON object");
  options->bound.add_to(app, "Settings");
  options->reading.add_to(app, "How to read DATA or FILE (default: as the run's data was read)");
  return [options] { return evaluate_command(*options); };
}

}  // namespace evenkeel::cli
