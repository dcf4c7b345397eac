// In: a model and what to measure it on. Out: (figures as JSON text, a warning or an empty text).
#include "evaluations.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "convert.h"
#include "data/options.h"
#include "eval/test_parts.h"
#include "gil.h"
#include "log.h"
#include "rank/correction.h"

namespace nb = nanobind;

namespace evenkeel::python {
namespace {

struct How {
  std::size_t k;
  bool groups, allow_overlap;
  int threads;
  double debias;
  MaybeRerank rerank;
};

using Answer = std::pair<std::string, std::string>;

Answer measure(const model::Model& model, const eval::TestParts& parts, const How& how) {
  const std::string warning = eval::check_overlap(parts, how.allow_overlap);
  Threads threads(how.threads);
  eval::EvaluateOptions options;
  options.k = how.k;
  options.groups = how.groups;
  nlohmann::json answer = nlohmann::json::object();
  const rank::ModelRanking ranking(model, how.debias, threads);
  const rank::RerankInputs inputs(model.item_popularity);
  const rank::Reranking reranking(rerank_of(how.rerank), inputs);
  const rank::RerankRule rule(reranking, model.known, how.k, threads.count());
  for (const eval::PartEvaluation& part : eval::evaluate_parts(
           ranking.view(), parts.data, parts.beside, options, threads, rule.rule())) {
    answer[part.part] = eval::to_json(part.evaluation, how.k);
    if (how.groups) answer[part.part]["groups"] = eval::groups_to_json(part.evaluation, how.k);
  }
  if (answer.empty()) {
    fail_data("no interaction is left to evaluate; give a test whose users the model knows");
  }
  return {answer.dump(), warning};
}

Answer evaluate_own(const model::Model& model, std::size_t k, bool groups, bool allow, int threads,
                    double debias, const MaybeRerank& rerank) {
  const ReleasedGil free;
  return measure(model, eval::own_parts(model), {k, groups, allow, threads, debias, rerank});
}

Answer evaluate_path(const model::Model& model, const std::string& path, const nb::dict& options,
                     std::size_t k, bool groups, bool allow, int threads, double debias,
                     const MaybeRerank& rerank) {
  Settings settings(data::reading_fields());
  set_all(settings, options);
  eval::Reading reading;
  for (const Field* field : settings.fields()) {
    if (settings.is_set(field->name)) {
      reading.emplace_back(field->name, settings.value(field->name));
    }
  }
  const ReleasedGil free;
  Threads team(threads);
  return measure(model, eval::parts_of_path(model, path, reading, team),
                 {k, groups, allow, threads, debias, rerank});
}

// A data set with its own rows: its parts are looked up by id.
Answer evaluate_dataset(const model::Model& model, const PyDataset& set, std::size_t k, bool groups,
                        bool allow, int threads, double debias, const MaybeRerank& rerank) {
  const ReleasedGil free;
  return measure(model, eval::parts_of_data(model, set.data),
                 {k, groups, allow, threads, debias, rerank});
}

// Test items in the model's own rows.
Answer evaluate_rows(const model::Model& model, Array1<std::int64_t> indptr,
                     Array1<std::int64_t> indices, std::size_t k, bool groups, bool allow,
                     int threads, double debias, const MaybeRerank& rerank) {
  const ReleasedGil free;
  data::Csr test = checked_csr(span_of(indptr), span_of(indices), model.items.rows());
  if (test.rows() != model.users.rows()) {
    fail_data("the test has {} rows where the model has {} users; give one row per user",
              test.rows(), model.users.rows());
  }
  return measure(model, eval::parts_of_rows(model, std::move(test)),
                 {k, groups, allow, threads, debias, rerank});
}

}  // namespace

void bind_evaluations(nb::module_& module) {
  module.def("evaluate_own", evaluate_own, nb::arg("model"), nb::arg("k"), nb::arg("groups"),
             nb::arg("allow_overlap"), nb::arg("threads"), nb::arg("debias"),
             nb::arg("rerank").none());
  module.def("evaluate_path", evaluate_path, nb::arg("model"), nb::arg("path"), nb::arg("options"),
             nb::arg("k"), nb::arg("groups"), nb::arg("allow_overlap"), nb::arg("threads"),
             nb::arg("debias"), nb::arg("rerank").none());
  module.def("evaluate_dataset", evaluate_dataset, nb::arg("model"), nb::arg("data"), nb::arg("k"),
             nb::arg("groups"), nb::arg("allow_overlap"), nb::arg("threads"), nb::arg("debias"),
             nb::arg("rerank").none());
  module.def("evaluate_rows", evaluate_rows, nb::arg("model"), nb::arg("indptr"),
             nb::arg("indices"), nb::arg("k"), nb::arg("groups"), nb::arg("allow_overlap"),
             nb::arg("threads"), nb::arg("debias"), nb::arg("rerank").none());
}

}  // namespace evenkeel::python
