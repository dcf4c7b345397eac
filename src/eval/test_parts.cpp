// In: a model and tests. Out: what may be evaluated, and a sentence about what may not.
#include "eval/test_parts.h"

#include <fmt/ranges.h>

#include <filesystem>

#include "base/error.h"
#include "data/load.h"
#include "data/options.h"
#include "data/reader.h"
#include "model/model_data.h"

namespace evenkeel {
namespace {

constexpr std::string_view kWholeName = "test";

Overlap overlap_of(const Part& part, const Csr& known) {
  Overlap overlap{part.name, 0, part.interactions()};
  for (std::size_t user = 0; user < part.items_of.rows(); ++user) {
    for (const Row item : part.items_of.row(user)) overlap.trained += known.contains(user, item);
  }
  return overlap;
}

void find_overlaps(TestParts& parts) {
  const auto note = [&](const Part& part) {
    const Overlap overlap = overlap_of(part, parts.data.items_of);
    if (overlap.trained > 0) parts.overlaps.push_back(overlap);
    return overlap.trained > 0;
  };
  // Training on the validation part is what a refit does: no reason to refuse the tests.
  if (note(parts.data.valid) && !parts.as_trained) {
    parts.overlaps.pop_back();
    parts.trained_validation = true;
    parts.data.valid.items_of = make_csr({}, parts.data.user_count(), Side::kUser);
  }
  for (const Part& test : parts.data.tests) note(test);
}

void mask_held(const Model& model, TestParts& parts) {
  for (const Part& part : model.held) parts.beside.push_back(part.items_of);
}

// A folder is cut already: how a log was cut does not concern it, nor how that log was read.
Settings settings_for(const Model& model, const Reading& reading, bool folder) {
  Settings settings(data_fields());
  const Field validation[] = {validation_field()};
  settings.add(validation);
  const bool from_log = model.origin.options.contains("split");
  for (const auto& [name, text] : model.origin.options) {
    const bool holds = !folder || !from_log || name == "seed" || name == "validation";
    if (settings.has(name) && holds) {
      settings.set(name, std::string_view(text), "the model's " + name);
    }
  }
  for (const auto& [name, value] : reading) settings.set(name, value);
  return settings;
}

Dataset one_test(Interactions log) {
  Dataset data;
  data.name = std::string(kWholeName);
  data.valid.name = std::string(kValidName);
  const std::size_t users = log.users.size();
  data.users = std::move(log.users);
  data.items = std::move(log.items);
  data.items_of = make_csr({}, users, Side::kUser);
  data.valid.items_of = data.items_of;
  data.tests.push_back({std::string(kWholeName), make_csr(log.pairs, users, Side::kUser)});
  return data;
}

std::string shares(const std::vector<Overlap>& overlaps) {
  std::vector<std::string> texts;
  for (const Overlap& overlap : overlaps) {
    texts.push_back(fmt::format(
        "{} of the {} pairs of {} ({:.1f} %)", overlap.trained, overlap.pairs, overlap.part,
        100.0 * static_cast<double>(overlap.trained) / static_cast<double>(overlap.pairs)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

TestParts own_parts(const Model& model) {
  TestParts parts;
  parts.data = dataset_of(model);
  parts.as_trained = true;
  if (parts.data.valid.interactions() == 0 && parts.data.tests.empty()) {
    fail_data(
        "{}: the model holds no validation or test pairs (it was trained on everything, or by an "
        "older evenkeel); name data that it was not trained on: evaluate RUN --test FILE",
        parts.data.name);
  }
  find_overlaps(parts);
  return parts;
}

TestParts parts_of_path(const Model& model, const std::string& path, const Reading& reading,
                        Threads& threads) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  const Settings settings = settings_for(model, reading, folder);
  if (fingerprint(load_for_training(path, settings, threads)) == model.origin.fingerprint) {
    return own_parts(model);
  }
  if (!folder) return whole_test(model, path, reading, threads);
  return parts_of_data(model, load_data(path, settings, threads));
}

TestParts whole_test(const Model& model, const std::string& path, const Reading& reading,
                     Threads& threads) {
  const ReadOptions options = read_options(settings_for(model, reading, false));
  return parts_of_data(model, one_test(read_interactions(path, options, threads)));
}

TestParts parts_of_data(const Model& model, const Dataset& data) {
  if (fingerprint(data) == model.origin.fingerprint) return own_parts(model);
  TestParts parts;
  parts.data = in_model_rows(data, model, parts.left_out);
  mask_held(model, parts);
  find_overlaps(parts);
  return parts;
}

TestParts parts_of_rows(const Model& model, Csr test) {
  TestParts parts;
  Csr none;
  none.offsets.assign(model.users.rows() + 1, 0);
  std::vector<Part> tests;
  tests.push_back({std::string(kWholeName), std::move(test)});
  parts.data = dataset_of_rows(std::string(kWholeName), model.user_ids, model.item_ids, model.known,
                               std::move(none), std::move(tests));
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

std::vector<PartEvaluation> evaluate_parts(const VectorView& vectors, const Dataset& data,
                                           std::span<const Csr> beside,
                                           const EvaluateOptions& options, Threads& threads) {
  std::vector<PartEvaluation> evaluations;
  const auto add = [&](const Part& part) {
    if (part.interactions() == 0) return;
    std::vector<const Csr*> known = known_beside(data, part);
    for (const Csr& more : beside) known.push_back(&more);
    evaluations.push_back({part.name, evaluate_part(vectors, data, part, known, options, threads)});
  };
  add(data.valid);
  for (const Part& test : data.tests) add(test);
  return evaluations;
}

}  // namespace evenkeel
