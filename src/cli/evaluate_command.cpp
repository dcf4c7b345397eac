// In: a run folder and data. Out: the metrics of validation and of every test.
#include "eval/evaluate.h"

#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_binding.h"
#include "cli/result_table.h"
#include "cli/run_folder.h"
#include "data/load.h"
#include "data/options.h"
#include "eval/model_rows.h"

namespace evenkeel::cli {
namespace {

struct Options {
  Options() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {top_field("length of the ranked lists"), score_field(), threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, data;
  bool groups = false, json = false;
};

// The parts exactly as training saw them: the run's own settings cut and hold out again.
Dataset load_as_trained(const Options& options, const Settings& trained, Threads& threads) {
  const std::string path = options.data.empty() ? recorded_data(options.run) : options.data;
  const bool own = options.data.empty() || trained_from(options.run, options.data);
  Dataset data = load_data(path, own ? trained : settings_for_other(trained, path), threads);
  return hold_out_validation(std::move(data), trained.number("validation"),
                             static_cast<std::uint64_t>(trained.integer("seed")));
}

void say_left_out(const LeftOut& left_out) {
  if (left_out.users > 0) {
    say("evenkeel: {} users of the data are unknown to the model and left out", left_out.users);
  }
  if (left_out.interactions > 0) {
    say("evenkeel: {} interactions with items unknown to the model are left out",
        left_out.interactions);
  }
}

int evaluate_command(const Options& options) {
  const Settings settings = options.bound.resolve();
  const Settings trained = recorded_settings(options.run);
  const Model model = load_run_model(options.run, settings);
  Threads threads(static_cast<int>(settings.integer("threads")));
  LeftOut left_out;
  const Dataset data = in_model_rows(load_as_trained(options, trained, threads), model, left_out);
  say_left_out(left_out);

  EvaluateOptions how;
  how.k = static_cast<std::size_t>(settings.integer("k"));
  how.groups = options.groups;
  const VectorView vectors{model.users, model.items, model.score};
  nlohmann::json evaluations = nlohmann::json::object(), groups = nlohmann::json::object();
  const auto add = [&](const Part& part) {
    if (part.interactions() == 0) return;
    const Evaluation evaluation = evaluate_part(vectors, data, part, how, threads);
    evaluations[part.name] = to_json(evaluation, how.k);
    if (how.groups) groups[part.name] = groups_to_json(evaluation, how.k);
  };
  add(data.valid);
  for (const Part& test : data.tests) add(test);
  if (evaluations.empty()) {
    fail_data(
        "{}: no validation or test interaction is left to evaluate; give data with a test "
        "part whose users the model knows",
        data.name);
  }
  if (options.json) {
    nlohmann::json answer{
        {"k", how.k}, {"score", score_name(model.score)}, {"evaluations", std::move(evaluations)}};
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
  app.add_option("data", options->data, "data to test on (default: what the run was trained from)")
      ->type_name("DATA");
  app.add_flag("--groups", options->groups, "also by head, mid and tail items and users");
  app.add_flag("--json", options->json, "one JSON object");
  options->bound.add_to(app, "Settings");
  return [options] { return evaluate_command(*options); };
}

}  // namespace evenkeel::cli
