// In: a model and what to measure it on. Out: the figures of every part, with what must be said.
#include "base/error.h"
#include "base/printable.h"
#include "data/options.h"
#include "eval/test_parts.h"
#include "face/state.h"
#include "rank/correction.h"

namespace evenkeel {
namespace {

std::map<std::string, double> figures_of(const eval::Evaluation& evaluation, std::size_t k) {
  std::map<std::string, double> figures;
  for (const eval::MetricEntry& metric : eval::metric_table()) {
    figures[fmt::format("{}@{}", metric.name, k)] = evaluation.overall.*metric.field;
  }
  for (const eval::ExposureEntry& exposure : eval::exposure_table()) {
    figures[fmt::format("{}@{}", exposure.name, k)] = evaluation.*exposure.field;
  }
  return figures;
}

std::vector<std::string> notes_of(const eval::TestParts& parts, bool allow_overlap) {
  std::vector<std::string> notes;
  if (parts.left_out.users > 0) {
    notes.push_back(
        fmt::format("{} users are unknown to the model and left out", parts.left_out.users));
  }
  if (parts.left_out.interactions > 0) {
    notes.push_back(fmt::format("{} with items unknown to the model left out",
                                counted(parts.left_out.interactions, "interaction")));
  }
  if (parts.trained_validation) {
    notes.emplace_back("the validation part holds pairs that trained the model and is left out");
  }
  std::string overlap = eval::check_overlap(parts, allow_overlap);
  if (!overlap.empty()) notes.push_back(std::move(overlap));
  return notes;
}

Measured measure(const model::Model& model, const eval::TestParts& parts,
                 const MeasureOptions& options) {
  if (options.k == 0) fail_config("k is 0; give at least 1");
  Measured measured;
  measured.notes = notes_of(parts, options.allow_overlap);
  eval::EvaluateOptions how;
  how.k = options.k;
  how.groups = false;
  Threads threads(options.threads);
  const rank::ModelRanking ranking(model, options.debias.value_or(model.debias), threads);
  const rank::RerankInputs inputs(model.item_popularity);
  const rank::Reranking reranking(rerank_ask(options.rerank), inputs);
  const rank::RerankRule rule(reranking, model.known, how.k, threads.count());
  for (const eval::PartEvaluation& part :
       eval::evaluate_parts(ranking.view(), parts.data, parts.beside, how, threads, rule.rule())) {
    measured.parts.push_back(
        {part.part, part.evaluation.overall.users, figures_of(part.evaluation, options.k)});
  }
  if (measured.parts.empty()) {
    fail_data("no interaction is left to measure; give a test whose users the model knows");
  }
  return measured;
}

void refuse_reading(const MeasureOptions& options) {
  if (options.reading.empty()) return;
  fail_config("option {} says how to read a file, but none is named; leave it out",
              options.reading.front().first);
}

eval::Reading checked_reading(const OptionValues& options) {
  Settings settings{data::reading_fields()};
  set_options(settings, options);
  eval::Reading reading;
  for (const auto& [name, text] : options) reading.emplace_back(name, settings.value(name));
  return reading;
}

data::Dataset as_test(data::Interactions log) {
  constexpr const char* kName = "test";
  data::Dataset data;
  data.name = kName;
  const std::size_t users = log.users.size();
  data.users = std::move(log.users);
  data.items = std::move(log.items);
  data.items_of = data::make_csr({}, users, Side::kUser);
  data.valid = {std::string(data::kValidName), data.items_of};
  data.tests.push_back({kName, data::make_csr(log.pairs, users, Side::kUser)});
  return data;
}

}  // namespace

Measured Recommender::evaluate(const MeasureOptions& options) const {
  refuse_reading(options);
  return measure(state_->model, eval::own_parts(state_->model), options);
}

Measured Recommender::evaluate_on(const std::string& path, const MeasureOptions& options) const {
  Threads threads(options.threads);
  const eval::Reading reading = checked_reading(options.reading);
  return measure(state_->model, eval::parts_of_path(state_->model, path, reading, threads),
                 options);
}

Measured Recommender::evaluate_on(const InteractionLog& test, const MeasureOptions& options) const {
  refuse_reading(options);
  return measure(state_->model,
                 eval::parts_of_data(state_->model, as_test(LogAccess::interactions(test))),
                 options);
}

}  // namespace evenkeel
