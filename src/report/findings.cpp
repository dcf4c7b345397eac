// In: figures of all methods. Out: one sentence about one of them.
#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/comparisons.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

// Of the first run whose vectors were looked at.
const json* detailed_run(const json& method, const json& runs) {
  for (const json& index : method["runs"]) {
    const json& run = runs[index.get<std::size_t>()];
    if (run["detailed"].get<bool>()) return &run;
  }
  return nullptr;
}

bool holds(const json& list, const json& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// " (beyond chance, p = 0.003)", or that it is not; empty when nobody knows.
std::string significance(const json& data_set, std::size_t best, std::size_t other,
                         const std::string& part) {
  const auto p = holm_p(data_set, best, other, part);
  if (!p) return "";
  return fmt::format(" ({} chance, {})", *p < kBeyondChance ? "beyond" : "within", p_text(*p));
}

std::string ordinal(std::size_t place) {
  const bool teen = place / 10 % 10 == 1;
  const char* const ends[] = {"th", "st", "nd", "rd"};
  return fmt::format("{}{}", place, ends[teen || place % 10 > 3 ? 0 : place % 10]);
}

std::string relation(double value, double other) {
  if (other <= 0 || value == other) return value == other ? "level with" : "above";
  const double percent = 100 * (value / other - 1);
  if (std::abs(percent) < 0.05) return "level with";
  if (percent > 400) return fmt::format("{:.1f} times", value / other);
  return fmt::format("{:.1f} % {}", std::abs(percent), percent > 0 ? "above" : "below");
}

std::string quality(const json& data_set, std::size_t method, const std::string& part) {
  const json& methods = data_set["methods"];
  const json& own = methods[method];
  const auto value = mean_of(own, part, "recall");
  if (!value) return fmt::format("{} has no figures", own["label"].get<std::string>());
  std::size_t place = 1, count = 0;
  std::size_t best_other = methods.size();
  double best = -1;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const auto other = mean_of(methods[m], part, "recall");
    if (!other) continue;
    ++count;
    if (m == method) continue;
    if (*other > *value) ++place;
    if (*other > best) {
      best = *other;
      best_other = m;
    }
  }
  const std::string label = own["label"].get<std::string>();
  const std::string figure = fmt::format("Recall@20 {:.4f} on {}", *value, part);
  if (best_other == methods.size()) return fmt::format("{} reaches {}", label, figure);
  // The baseline is the best method in every sentence: p depends on it, and a pair has one p.
  const std::string chance = place == 1 ? significance(data_set, method, best_other, part)
                                        : significance(data_set, best_other, method, part);
  const std::string against = fmt::format("{} {}{}", relation(*value, best),
                                          methods[best_other]["label"].get<std::string>(), chance);
  if (place == 1) return fmt::format("{} has the best {}, {}", label, figure, against);
  return fmt::format("{} ranks {} of {} with {}, {}", label, ordinal(place), count, figure,
                     against);
}

std::string exposure_clause(const json& run, const json& popularity) {
  const json& exposure = run["exposure"];
  if (!exposure.is_object()) return "";
  const json& consumed = popularity["group_share"];
  std::string text = fmt::format(
      "; it gives {} of the places in its lists to the tail, which has {} of the training "
      "interactions",
      share_text(exposure["tail_share"].get<double>()), share_text(consumed[2].get<double>()));
  const json& lift = exposure["lift"][0];
  if (lift.is_number()) {
    text += fmt::format(", and shows the most popular tenth {:.2f} times as often as it was chosen",
                        lift.get<double>());
  }
  return text;
}

std::string geometry_clause(const json& run) {
  const json& geometry = run["geometry"];
  if (!geometry.is_object()) return "";
  const json& positive = geometry["positive_degrees"];
  const json& negative = geometry["negative_degrees"];
  if (!positive[0].is_number() || !positive[2].is_number() || !negative[2].is_number()) return "";
  return fmt::format(
      "; its training items lie {:.0f} degrees from head users and {:.0f} from tail users, other "
      "items {:.0f} and {:.0f}",
      positive[0].get<double>(), positive[2].get<double>(), negative[0].get<double>(),
      negative[2].get<double>());
}

}  // namespace

std::optional<double> mean_of(const json& method, const std::string& part, const char* metric) {
  for (const json& evaluation : method["evaluations"]) {
    if (evaluation["part"] != part) continue;
    const auto found = evaluation["mean"].find(metric);
    if (found != evaluation["mean"].end() && found->is_number()) return found->get<double>();
  }
  return std::nullopt;
}

std::string most_uniform_test(const json& data_set) {
  std::string part;
  double least = 0;
  for (const json& statistics : data_set["statistics"]["parts"]) {
    const std::string name = statistics["name"].get<std::string>();
    if (!holds(data_set["tests"], name) || !statistics["dkl_grouped"].is_number()) continue;
    const double dkl = statistics["dkl_grouped"].get<double>();
    if (!part.empty() && dkl >= least) continue;
    part = name;
    least = dkl;
  }
  if (!part.empty()) return part;
  if (!data_set["tests"].empty()) return data_set["tests"][0].get<std::string>();
  for (const json& method : data_set["methods"]) {
    if (!method["evaluations"].empty()) return "valid";
  }
  return "";
}

std::string method_finding(const json& data_set, const json& runs, std::size_t method) {
  const json& own = data_set["methods"][method];
  const std::string part = most_uniform_test(data_set);
  std::string sentence;
  if (own["evaluations"].empty()) {
    const json& problem = runs[own["runs"][0].get<std::size_t>()]["problem"];
    return fmt::format("{} has no figures: {}.", own["label"].get<std::string>(),
                       problem.is_string() ? problem.get<std::string>() : "nothing was measured");
  }
  sentence = quality(data_set, method, part);
  if (const json* run = detailed_run(own, runs)) {
    sentence += exposure_clause(*run, data_set["popularity"]) + geometry_clause(*run);
  }
  return sentence + ".";
}

}  // namespace evenkeel::report
