// In: an evaluation. Out: its entries in result.json ("evaluations" and "groups").
#include "base/error.h"
#include "eval/evaluate.h"

#include <nlohmann/json.hpp>

namespace evenkeel::eval {
namespace {

nlohmann::json metrics_to_json(const MetricSet& set, std::size_t k) {
  nlohmann::json json;
  for (const MetricEntry& metric : metric_table()) {
    json[fmt::format("{}@{}", metric.name, k)] = set.*metric.field;
  }
  json["users"] = set.users;
  return json;
}

}  // namespace

nlohmann::json to_json(const Evaluation& evaluation, std::size_t k) {
  nlohmann::json json = metrics_to_json(evaluation.overall, k);
  for (const ExposureEntry& exposure : exposure_table()) {
    json[fmt::format("{}@{}", exposure.name, k)] = evaluation.*exposure.field;
  }
  if (evaluation.all_users > static_cast<std::size_t>(evaluation.overall.users)) {
    json["all_users"] = evaluation.all_users;  // the figures are of a sample
  }
  if (evaluation.candidates > 0) json["candidates"] = evaluation.candidates;
  return json;
}

nlohmann::json groups_to_json(const Evaluation& evaluation, std::size_t k) {
  nlohmann::json json = nlohmann::json::object();
  if (!evaluation.has_groups) return json;
  for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
    const std::string name(kGroupNames[group]);
    json["items"][name] = metrics_to_json(evaluation.item_groups[group], k);
    json["users"][name] = metrics_to_json(evaluation.user_groups[group], k);
  }
  return json;
}

}  // namespace evenkeel::eval
