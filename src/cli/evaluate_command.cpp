// In: a run folder and data. Out: the metrics of validation and of every test.
#include "eval/evaluate.h"

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/printable.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/front_command.h"
#include "cli/option_binding.h"
#include "cli/progress.h"
#include "cli/result_table.h"
#include "cli/run_folder.h"
#include "data/load.h"
#include "data/options.h"
#include "eval/test_parts.h"
#include "rank/correction.h"
#include "rank/reranking.h"
#include "report/run_record.h"

namespace evenkeel::cli {
namespace {

struct EvaluateArguments {
  EvaluateArguments() : bound(fields()), reading(Settings(data::reading_fields())) {}
  static Settings fields() {
    const Field list[] = {
        top_field("length of the ranked lists"),
        score_field(),
        {"debias", std::string("trained"),
         "strengths of the popularity correction, as in 0,0.2,0.5; trained: what training chose"},
        eval::evaluation_users_field(),
        candidates_field(),
        threads_field()};
    Settings settings(list);
    settings.add(rank::rerank_fields());
    return settings;
  }
  // As in training, but the run's own parts remember what they were trained with.
  static Field candidates_field() {
    Field field = data::candidates_field();
    field.default_value = std::string(kTrained);
    field.help =
        "items that a test ranks: all; test, only those that occur in the test; trained, as the "
        "run's own parts say (other data: all)";
    field.choices.push_back(kTrained);
    return field;
  }
  static constexpr std::string_view kTrained = "trained";
  BoundOptions bound;
  BoundOptions reading;
  std::vector<std::string> paths;  // RUN, then DATA; with --front, runs alone
  std::string run, data, test, out;
  bool groups = false, json = false, allow_overlap = false, front = false;
};

bool holds_training_part(const std::string& folder) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (entry.path().filename().string().starts_with("train.")) return true;
  }
  return false;
}

eval::TestParts find_parts(const EvaluateArguments& options, const model::Model& model,
                           Threads& threads) {
  const eval::Reading reading = given_reading(options.reading);
  if (!options.data.empty() && !options.test.empty()) {
    fail_config("give either DATA or --test FILE: {} or {}", options.data, options.test);
  }
  if (!options.test.empty()) return eval::whole_test(model, options.test, reading, threads);
  if (!options.data.empty()) return eval::parts_of_path(model, options.data, reading, threads);
  if (!reading.empty()) {
    fail_config("--{} says how to read a file, but none is named; give DATA or --test FILE",
                reading.front().first);
  }
  return eval::own_parts(model, options.run);
}

void say_left_out(const eval::TestParts& parts) {
  if (parts.left_out.users > 0) {
    say("evenkeel: {} of the data unknown to the model left out",
        counted(parts.left_out.users, "user"));
  }
  if (parts.left_out.interactions > 0) {
    say("evenkeel: {} with items unknown to the model left out",
        counted(parts.left_out.interactions, "interaction"));
  }
  if (parts.trained_validation) {
    say("evenkeel: the validation part holds pairs that trained the model and is left out");
  }
}

nlohmann::json evaluate_at(const model::Model& model, const eval::TestParts& parts, double debias,
                           const rank::Reranking& reranking, const eval::EvaluateOptions& how,
                           Threads& threads) {
  nlohmann::json answer{{"debias", debias}, {"evaluations", nlohmann::json::object()}};
  const rank::RerankRule rule(reranking, model.known, how.k, threads.count());
  const rank::ModelRanking ranking(model, debias, threads);
  for (const eval::PartEvaluation& part :
       eval::evaluate_parts(ranking.view(), parts.data, parts.beside, how, threads, rule.rule())) {
    answer["evaluations"][part.part] = eval::to_json(part.evaluation, how.k);
    if (how.groups) answer["groups"][part.part] = eval::groups_to_json(part.evaluation, how.k);
  }
  if (answer["evaluations"].empty()) {
    fail_data(
        "{}: no validation or test interaction is left to evaluate; give data with a test "
        "part whose users the model knows",
        parts.data.name);
  }
  return answer;
}

int evaluate_command(EvaluateArguments& options) {
  if (options.paths.size() > 2) {
    fail_config("give RUN, and DATA at most; several runs are compared with --front");
  }
  if (!options.out.empty()) fail_config("--out belongs to --front; results go to stdout");
  options.run = options.paths[0];
  if (options.paths.size() > 1) options.data = options.paths[1];
  if (!options.data.empty() && report::is_run_folder(options.data) &&
      !holds_training_part(options.data)) {
    fail_config(
        "{1} is a run folder, not data; compare runs with: evenkeel evaluate {0} {1} --front, or "
        "evenkeel compare {0} {1}",
        options.run, options.data);
  }
  const Settings settings = options.bound.resolve();
  const rank::RerankAsk rerank = rank::rerank_ask(rank::rerank_words(settings));
  const model::Model model = load_run_model(options.run, settings);
  const rank::RerankInputs inputs(model.item_popularity);
  const rank::Reranking reranking(rerank, inputs);
  Threads threads(static_cast<int>(settings.integer("threads")));
  eval::TestParts parts = find_parts(options, model, threads);
  if (settings.text("candidates") != EvaluateArguments::kTrained)
    data::set_candidates(parts.data, settings);
  say_left_out(parts);
  const std::string warning = eval::check_overlap(parts, options.allow_overlap);
  if (!warning.empty()) say("evenkeel: {}", warning);

  eval::EvaluateOptions how;
  how.k = static_cast<std::size_t>(settings.integer("k"));
  how.groups = options.groups;
  how.users = eval::parse_user_limit(settings.text("evaluation-users"), "evaluation-users");
  Progress progress(false);
  how.progress = [&, said = false](const eval::EvaluationProgress& news) mutable {
    if (!said && news.users < news.all_users) say("evenkeel: {}", eval::sample_sentence(news));
    said = said || news.users < news.all_users;
    progress.on_evaluation(news);
  };
  const std::vector<double> strengths = strengths_of(settings.text("debias"), model);
  nlohmann::json answers = nlohmann::json::array();
  for (const double debias : strengths) {
    answers.push_back(evaluate_at(model, parts, debias, reranking, how, threads));
  }
  if (options.json) {
    nlohmann::json answer{{"k", how.k}, {"score", model::score_name(model.score)}};
    if (rerank.entry != nullptr) {
      answer["rerank"] = {{"reranker", rerank.entry->name},
                          {"strength", rerank.strength},
                          {"candidates", reranking.candidates(how.k)}};
    }
    if (strengths.size() == 1) {
      answer.update(answers[0]);
    } else {
      answer["strengths"] = std::move(answers);
    }
    out("{}\n", json_text(answer, 2));
    return 0;
  }
  if (rerank.entry != nullptr) {
    out("reranked: {}, strength {}, from {} candidates\n", rerank.entry->name, rerank.strength,
        reranking.candidates(how.k));
  }
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    if (strengths.size() > 1 || strengths[i] > 0) {
      out("{}with --debias {}\n", i > 0 ? "\n" : "", strengths[i]);
    }
    out("{}", evaluations_table(answers[i]["evaluations"], how.k));
    if (how.groups) {
      out("\n{}\n{}", groups_table(answers[i]["groups"], how.k),
          popularity_table(answers[i]["evaluations"], how.k));
    }
  }
  return 0;
}

int fronts(const EvaluateArguments& options) {
  const Settings settings = options.bound.resolve();
  for (const char* name :
       {"k", "score", "debias", "rerank-strength", "evaluation-users", "candidates"}) {
    if (options.bound.given(name)) {
      fail_config("--{} does not go with --front, which takes lists of 20 over its own strengths",
                  name);
    }
  }
  if (!options.test.empty() || options.groups || options.allow_overlap ||
      !given_reading(options.reading).empty()) {
    fail_config("--front measures each run on the parts it remembers; give run folders alone");
  }
  return front_command({options.paths, options.out, options.json}, settings);
}

}  // namespace

Action add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateArguments>();
  app.add_option("run", options->paths,
                 "run folder, then data to test on: a folder of parts, or a log (default: the "
                 "run's own parts); with --front, run folders")
      ->required()
      ->type_name("RUN [DATA]");
  app.add_option("--test", options->test, "an interactions file that is the test, whole")
      ->type_name("FILE");
  app.add_flag("--allow-overlap", options->allow_overlap,
               "evaluate although pairs under test trained the model; their share is said");
  app.add_flag("--groups", options->groups,
               "also by head, mid and tail items and users, with exposure and popularity");
  app.add_flag(
      "--front", options->front,
      "Recall on the test like the log against Recall on the balanced one (estimated where "
      "no test shows items alike), over strengths of the popularity correction, for each "
      "RUN; --rerank (names with commas, or all) "
      "adds a curve for each reranker");
  app.add_option("-o,--out", options->out, "of --front: writes PATH.csv and PATH.svg, too")
      ->type_name("PATH");
  add_json(app, options->json);
  options->bound.add_to(app, "Settings");
  options->reading.add_to(app, "How to read DATA or FILE (default: as the run's data was read)");
  return [options] { return options->front ? fronts(*options) : evaluate_command(*options); };
}

}  // namespace evenkeel::cli
