// In: figures of all methods. Out: one sentence, three figures, one line on the catalogue.
#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/digits.h"
#include "rank/dial.h"
#include "report/comparisons.h"
#include "report/findings.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

struct RankedMethod {
  std::size_t method = 0;
  double recall = 0;
};

// Methods with a figure on the part, best first; equal ones in their order.
std::vector<RankedMethod> ranked_methods(const json& data_set, const std::string& part) {
  std::vector<RankedMethod> list;
  for (std::size_t m = 0; m < data_set["methods"].size(); ++m) {
    if (const auto recall = mean_of(data_set["methods"][m], part, "recall")) {
      list.push_back({m, *recall});
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const RankedMethod& a, const RankedMethod& b) {
    return a.recall > b.recall;
  });
  return list;
}

std::string label_of(const json& data_set, std::size_t method) {
  return data_set["methods"][method]["label"].get<std::string>();
}

std::string where(const json& data_set, const std::string& part) {
  if (part == "valid") return "validation (there is no test)";
  return data_set["tests"].size() > 1 ? part + ", the least biased test" : part;
}

std::string gain(double value, double other) {
  if (other <= 0) return value > 0 ? "above" : "level with";
  const double percent = 100 * (value / other - 1);
  return percent > 400 ? fmt::format("{:.1f} times", value / other)
                       : fmt::format("{:.1f} % above", percent);
}

// Methods after the best one whose difference to it is within chance.
std::size_t level_count(const json& data_set, const std::string& part,
                        const std::vector<RankedMethod>& list) {
  return static_cast<std::size_t>(
      std::count_if(list.begin() + 1, list.end(), [&](const RankedMethod& other) {
        const auto p = holm_p(data_set, list.front().method, other.method, part);
        return other.recall == list.front().recall || (p && *p >= kBeyondChance);
      }));
}

std::string sentence(const json& data_set, const std::string& part,
                     const std::vector<RankedMethod>& list) {
  const RankedMethod& best = list.front();
  const std::string label = label_of(data_set, best.method);
  const std::string place = where(data_set, part);
  if (list.size() == 1) {
    return fmt::format(
        "{} reaches Recall@20 {:.4f} on {}; there is no other method to compare it "
        "with.",
        label, best.recall, place);
  }
  const RankedMethod& second = list[1];
  const std::string other = label_of(data_set, second.method);
  const auto p = holm_p(data_set, best.method, second.method, part);
  if (best.recall == second.recall || (p && *p >= kBeyondChance)) {
    const std::size_t more = level_count(data_set, part, list) - 1;
    return fmt::format("{}{}{}{} are level on {}: Recall@20 {:.4f} and {:.4f}{}{}.", label,
                       more ? ", " : " and ", other, more ? fmt::format(" and {} more", more) : "",
                       place, best.recall, second.recall, more ? " of the first two" : "",
                       p ? fmt::format(", a difference within chance ({})", p_text(*p)) : "");
  }
  return fmt::format(
      "{} is ahead on {}: Recall@20 {:.4f}, {} {}{}.", label, place, best.recall,
      gain(best.recall, second.recall), other,
      p ? fmt::format(", beyond chance ({})", p_text(*p)) : "; whether beyond chance is not known");
}

const json* detailed_run(const json& data_set, const json& runs, std::size_t method) {
  for (const json& index : data_set["methods"][method]["runs"]) {
    const json& run = runs[index.get<std::size_t>()];
    if (run["detailed"].get<bool>() && run["exposure"].is_object()) return &run;
  }
  return nullptr;
}

json figure(const std::string& value, const std::string& label, const std::string& note) {
  return {{"value", value}, {"label", label}, {"note", note}};
}

// " (2,000 users, one seed)": what the p-value is taken over, and what it says nothing about.
std::string compared_over(const json& data_set, std::size_t method, std::size_t other,
                          const std::string& part) {
  for (const json& comparison : data_set["comparisons"]) {
    const json &a = comparison["a"], &b = comparison["b"];
    const bool both = (a == method && b == other) || (a == other && b == method);
    if (!both || comparison["part"] != part || !comparison.contains("users")) continue;
    const auto seeds = comparison["seeds"].get<std::uint64_t>();
    return fmt::format(" ({} users, {})", grouped_digits(comparison["users"].get<std::uint64_t>()),
                       seeds == 1 ? "one seed" : fmt::format("{} seeds", seeds));
  }
  return "";
}

json lead_figure(const json& data_set, const std::string& part,
                 const std::vector<RankedMethod>& list) {
  const RankedMethod &best = list[0], &second = list[1];
  const auto p = holm_p(data_set, best.method, second.method, part);
  const std::string note =
      !p ? "not tested for chance"
         : fmt::format("{} chance, {}{}", *p < kBeyondChance ? "beyond" : "within", p_text(*p),
                       compared_over(data_set, best.method, second.method, part));
  const std::string value = second.recall > 0
                                ? fmt::format("+{:.1f} %", 100 * (best.recall / second.recall - 1))
                                : fmt::format("+{:.4f}", best.recall - second.recall);
  const std::string other = label_of(data_set, second.method) + ", the next best";
  // A large figure must not claim a lead that the sentence above it denies.
  if (best.recall == second.recall || (p && *p >= kBeyondChance)) {
    return figure("level", "with " + other, value + ", " + note);
  }
  return figure(value, "against " + other, note);
}

json figures(const json& data_set, const json& runs, const std::string& part,
             const std::vector<RankedMethod>& list) {
  json out = json::array();
  const std::string label = label_of(data_set, list[0].method);
  out.push_back(figure(fmt::format("{:.4f}", list[0].recall), fmt::format("Recall@20 of {}", label),
                       "on " + where(data_set, part)));
  if (list.size() > 1) out.push_back(lead_figure(data_set, part, list));
  if (const json* run = detailed_run(data_set, runs, list[0].method)) {
    out.push_back(
        figure(share_text((*run)["exposure"]["tail_share"].get<double>()),
               "of its list places go to the tail",
               fmt::format("the least popular third; {} of the training interactions",
                           share_text(data_set["popularity"]["group_share"][2].get<double>()))));
  }
  return out;
}

// What the correction would do to the tail of a model that ranks as logged.
std::string correction(const json& run) {
  const json& front = run.value("front", json());
  if (!front.is_object() || front["debias"].get<double>() > 0) return "";
  const json& stops = front["stops"];
  for (const json& stop : stops) {
    if (std::abs(stop["debias"].get<double>() - rank::kShownDebias) > 1e-9) continue;
    const std::string now = share_text(stops[0]["group_share"][2].get<double>());
    const std::string then = share_text(stop["group_share"][2].get<double>());
    if (now == then) return "";
    return fmt::format("; --debias {} would change the tail's share of the places from {} to {}",
                       rank::kShownDebias, now, then);
  }
  return "";
}

std::string catalogue(const json& data_set, const json& runs, const std::string& label,
                      std::size_t method) {
  const json& consumed = data_set["popularity"]["decile_share"];
  if (consumed.empty() || consumed[0].get<double>() <= 0) return "";
  std::string text = fmt::format(
      "The most popular tenth of the items has {:.0f} % of the "
      "training interactions",
      100 * consumed[0].get<double>());
  if (const json* run = detailed_run(data_set, runs, method)) {
    text += fmt::format(" and gets {:.0f} % of the places in {}'s lists",
                        100 * (*run)["exposure"]["decile_share"][0].get<double>(), label) +
            correction(*run);
  }
  return text + ".";
}

}  // namespace

json verdict_json(const json& data_set, const json& runs) {
  const std::string part = most_uniform_test(data_set);
  const std::vector<RankedMethod> list = ranked_methods(data_set, part);
  if (list.empty()) return {};
  const std::size_t best = list.front().method;
  return {{"best", best},
          {"part", part},
          {"sentence", sentence(data_set, part, list)},
          {"figures", figures(data_set, runs, part, list)},
          {"catalogue", catalogue(data_set, runs, label_of(data_set, best), best)}};
}

}  // namespace evenkeel::report
