// In: the report's JSON. Out: the methods that are drawn, as the page chooses and paints them.
#include "report/shown_methods.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/findings.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

constexpr std::size_t kColours = 8, kFirstShown = 6;

const json* run_of(const json& method, const json& runs) {
  const json* detailed = nullptr;
  for (const json& index : method["runs"]) {
    const json& run = runs[index.get<std::size_t>()];
    if (!run["detailed"].get<bool>()) continue;
    if (run["state"] == "ok") return &run;
    if (detailed == nullptr) detailed = &run;
  }
  return detailed != nullptr ? detailed : &runs[method["runs"][0].get<std::size_t>()];
}

// The winner, then the best setting of each loss, then others with detail; each by validation.
void keep_best(std::vector<ShownMethod>& all, const json& data_set) {
  const auto valid = [](const ShownMethod& m) {
    return mean_of(*m.method, "valid", "recall").value_or(0);
  };
  std::vector<ShownMethod> ordered = all;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const ShownMethod& a, const ShownMethod& b) { return valid(a) > valid(b); });
  const json& verdict = data_set["verdict"];
  std::set<std::string> losses;
  std::map<std::size_t, int> rank;
  for (const ShownMethod& m : ordered) {
    const bool detailed = (*m.run)["detailed"].get<bool>();
    const bool first = detailed && losses.insert((*m.run)["loss"].get<std::string>()).second;
    const bool winner = verdict.is_object() && verdict["best"] == m.index;
    rank[m.index] = winner ? 3 : first ? 2 : detailed ? 1 : 0;
  }
  std::stable_sort(ordered.begin(), ordered.end(), [&](const ShownMethod& a, const ShownMethod& b) {
    return rank[a.index] > rank[b.index];
  });
  ordered.resize(kFirstShown);
  std::erase_if(all, [&](const ShownMethod& m) {
    return std::none_of(ordered.begin(), ordered.end(),
                        [&](const ShownMethod& kept) { return kept.index == m.index; });
  });
}

// A label has the same slot in every data set; where it is taken, the next free one.
void paint(std::vector<ShownMethod>& methods, const json& report) {
  std::map<std::string, std::size_t> slots;
  for (const json& set : report["data_sets"]) {
    for (const json& method : set["methods"]) {
      slots.try_emplace(method["label"].get<std::string>(), slots.size());
    }
  }
  std::set<std::size_t> taken;
  for (ShownMethod& method : methods) {
    method.slot = slots[method.label] % kColours;
    while (taken.contains(method.slot)) method.slot = (method.slot + 1) % kColours;
    taken.insert(method.slot);
  }
}

}  // namespace

std::vector<ShownMethod> shown_methods(const json& report, const json& data_set) {
  std::vector<ShownMethod> methods;
  for (const json& method : data_set["methods"]) {
    methods.push_back({methods.size(), method["label"].get<std::string>(), &method,
                       run_of(method, report["runs"]), 0});
    for (const json& index : method["runs"]) {
      methods.back().seeds.push_back(&report["runs"][index.get<std::size_t>()]);
    }
  }
  if (methods.size() > kColours) keep_best(methods, data_set);
  paint(methods, report);
  return methods;
}

}  // namespace evenkeel::report
