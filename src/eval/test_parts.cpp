// In: a model and tests. Out: what may be evaluated, and a sentence about what may not.
#include "eval/test_parts.h"

#include <fmt/ranges.h>

#include "base/error.h"
#include "data/load.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "model/model_data.h"

namespace evenkeel::eval {
namespace {

constexpr std::string_view kWholeName = "test";

Overlap overlap_of(const data::Part& part, const data::Csr& known) {
  Overlap overlap{part.name, 0, part.interactions()};
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    for (const Row item : part.items_of.row(user)) overlap.trained += known.contains(user, item);
  }
  return overlap;
}

void find_overlaps(TestParts& parts) {
  const auto note = [&](const data::Part& part) {
    const Overlap overlap = overlap_of(part, parts.data.items_of);
    if (overlap.trained > 0) parts.overlaps.push_back(overlap);
    return overlap.trained > 0;
  };
  // Training on the validation part is what a refit does: no reason to refuse the tests.
  if (note(parts.data.valid) && !parts.as_trained) {
    parts.overlaps.pop_back();
    parts.trained_validation = true;
    parts.data.valid.items_of = data::make_csr({}, parts.data.user_count(), Side::kUser);
  }
  for (const data::Part& test : parts.data.tests) note(test);
}

void mask_held(const model::Model& model, TestParts& parts) {
  for (const data::Part& part : model.held) parts.beside.push_back(part.items_of);
}

// A folder is cut already: how a log was cut does not concern it, nor how that log was read. Data
// that was prepared brings its own options.
Settings settings_for(const model::Model& model, const Reading& reading, const std::string& path) {
  const bool folder = !data::comes_from_log(path);
  const auto prepared = data::prepared_options(path);
  Settings settings(data::data_fields());
  const Field validation[] = {data::validation_field()};
  settings.add(validation);
  const bool from_log = model.origin.options.contains("split");
  for (const auto& [name, text] : model.origin.options) {
    const bool own = name == "seed" || name == "validation";
    const bool holds = own || (!prepared.contains(name) && (!folder || !from_log));
    if (settings.has(name) && holds) {
      settings.set(name, std::string_view(text), "the model's " + name);
    }
  }
  for (const auto& [name, value] : reading) settings.set(name, value);
  return settings;
}

data::Dataset one_test(data::Interactions log) {
  data::Dataset data;
  data.name = std::string(kWholeName);
  data.valid.name = std::string(data::kValidName);
  const std::size_t users = log.users.size();
  data.users = std::move(log.users);
  data.items = std::move(log.items);
  data.items_of = data::make_csr({}, users, Side::kUser);
  data.valid.items_of = data.items_of;
  data.tests.push_back({std::string(kWholeName), data::make_csr(log.pairs, users, Side::kUser)});
  return data;
}

std::string shares(const std::vector<Overlap>& overlaps) {
  std::vector<std::string> texts;
  texts.reserve(overlaps.size());
  for (const Overlap& overlap : overlaps) {
    texts.push_back(fmt::format(
        "{} of the {} pairs of {} ({:.1f} %)", overlap.trained, overlap.pairs, overlap.part,
        100.0 * static_cast<double>(overlap.trained) / static_cast<double>(overlap.pairs)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

data::Interactions read_log(const model::Model& model, const std::string& path,
                            const Reading& reading, Threads& threads, bool all_seen) {
  data::ReadOptions options = data::read_options(settings_for(model, reading, path));
  options.all_seen = all_seen;
  return data::read_interactions(path, options, threads);
}

TestParts own_parts(const model::Model& model, const std::string& run) {
  TestParts parts;
  parts.data = model::dataset_of(model);
  parts.as_trained = true;
  if (parts.data.valid.interactions() == 0 && parts.data.tests.empty()) {
    fail_data(
        "{}: the model holds no validation or test pairs (it was trained on everything, or by an "
        "older evenkeel); name data that it was not trained on: evaluate RUN --test FILE",
        run.empty() ? parts.data.name : run);
  }
  find_overlaps(parts);
  return parts;
}

TestParts parts_of_path(const model::Model& model, const std::string& path, const Reading& reading,
                        Threads& threads) {
  const Settings settings = settings_for(model, reading, path);
  if (data::fingerprint(data::load_for_training(path, settings, threads)) ==
      model.origin.fingerprint) {
    return own_parts(model);
  }
  if (!data::is_split_already(path)) return whole_test(model, path, reading, threads);
  return parts_of_data(model, data::load_data(path, settings, threads));
}

TestParts whole_test(const model::Model& model, const std::string& path, const Reading& reading,
                     Threads& threads) {
  return parts_of_data(model, one_test(read_log(model, path, reading, threads)));
}

TestParts parts_of_data(const model::Model& model, const data::Dataset& data) {
  if (data::fingerprint(data) == model.origin.fingerprint) return own_parts(model);
  TestParts parts;
  parts.data = in_model_rows(data, model, parts.left_out);
  mask_held(model, parts);
  find_overlaps(parts);
  return parts;
}

TestParts parts_of_rows(const model::Model& model, data::Csr test) {
  TestParts parts;
  data::Csr none;
  none.offsets.assign(model.users.rows() + 1, 0);
  std::vector<data::Part> tests;
  tests.push_back({std::string(kWholeName), std::move(test)});
  parts.data = data::dataset_of_rows(std::string(kWholeName), model.user_ids, model.item_ids,
                                     model.known, std::move(none), std::move(tests));
  mask_held(model, parts);
  find_overlaps(parts);
  return parts;
}

std::string check_overlap(const TestParts& parts, bool allow) {
  if (parts.overlaps.empty()) return "";
  if (parts.as_trained) {
    return fmt::format("{} also trained the model: the data's own parts share them",
                       shares(parts.overlaps));
  }
  if (allow) {
    return fmt::format("{} trained the model: the figures flatter it", shares(parts.overlaps));
  }
  fail_data(
      "{} trained the model, so its figures would count what it learned by heart; evaluate the "
      "run's own parts (evaluate RUN), give other data, or say --allow-overlap",
      shares(parts.overlaps));
}

std::vector<PartEvaluation> evaluate_parts(const VectorView& vectors, const data::Dataset& data,
                                           std::span<const data::Csr> beside,
                                           const EvaluateOptions& options, Threads& threads,
                                           const ListRule* rule, const DividedUsers& divided) {
  std::vector<PartEvaluation> evaluations;
  const auto add = [&](const data::Part& part) {
    if (part.interactions() == 0) return;
    std::vector<const data::Csr*> known = known_beside(data, part);
    for (const data::Csr& more : beside) known.push_back(&more);
    evaluations.push_back(
        {part.name, evaluate_part(vectors, data, part, known, options, threads, rule, divided)});
  };
  add(data.valid);
  for (const data::Part& test : data.tests) add(test);
  return evaluations;
}

}  // namespace evenkeel::eval
