// In: figures of runs. Out: the two best on each test, then the best setting of each loss, then
// others.
#include "report/choose_detailed.h"

#include <algorithm>

#include "analysis/correlation.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

// What the method reached on a part, mean over its seeds; below 0 where it has no figure.
double recall_of(const MethodGroup& method, const std::vector<RunRecord>& runs,
                 const std::string& part) {
  analysis::Moments moments;
  for (const std::size_t run : method.runs) {
    const json evaluations = runs[run].result.value("evaluations", json::object());
    const json figures = evaluations.value(part, json::object());
    if (figures.contains("recall@20")) moments.add(figures["recall@20"].get<double>());
  }
  return moments.count > 0 ? moments.mean : -1;
}

// Parts that some run was tested on, validation first.
std::vector<std::string> parts_of(const DataSetGroup& group, const std::vector<RunRecord>& runs) {
  std::set<std::string> tests;
  for (const std::size_t run : group.runs) {
    const json evaluations = runs[run].result.value("evaluations", json::object());
    for (const auto& [part, figures] : evaluations.items()) tests.insert(part);
  }
  tests.erase("valid");
  std::vector<std::string> parts{"valid"};
  parts.insert(parts.end(), tests.begin(), tests.end());
  return parts;
}

// First the two best on each test, whom the verdict compares; then the best setting of each loss,
// then the others, both by validation.
std::vector<const MethodGroup*> by_interest(const DataSetGroup& group,
                                            const std::vector<RunRecord>& runs) {
  std::vector<std::pair<double, const MethodGroup*>> ordered;
  for (const MethodGroup& method : group.methods) {
    ordered.emplace_back(recall_of(method, runs, "valid"), &method);
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const MethodGroup*> wanted;
  const std::vector<std::string> parts = parts_of(group, runs);
  for (std::size_t place = 0; place < std::min<std::size_t>(2, ordered.size()); ++place) {
    for (const std::string& part : parts) {
      std::vector<std::pair<double, const MethodGroup*>> ranking;
      ranking.reserve(ordered.size());
      for (const auto& [figure, method] : ordered) {
        ranking.emplace_back(recall_of(*method, runs, part), method);
      }
      std::stable_sort(ranking.begin(), ranking.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      wanted.push_back(ranking[place].second);
    }
  }
  std::set<std::string> losses;
  for (const auto& [figure, method] : ordered) {
    if (losses.insert(runs[method->runs.front()].text("loss")).second) wanted.push_back(method);
  }
  for (const auto& [figure, method] : ordered) wanted.push_back(method);
  std::vector<const MethodGroup*> once;
  for (const MethodGroup* method : wanted) {
    if (std::find(once.begin(), once.end(), method) == once.end()) once.push_back(method);
  }
  return once;
}

}  // namespace

std::set<std::size_t> choose_detailed(const std::vector<DataSetGroup>& groups,
                                      const std::vector<RunRecord>& runs) {
  std::vector<std::vector<std::size_t>> queues;
  for (const DataSetGroup& group : groups) {
    const std::vector<const MethodGroup*> methods = by_interest(group, runs);
    std::vector<std::size_t> queue;
    for (std::size_t seed = 0; queue.size() < group.runs.size(); ++seed) {
      for (const MethodGroup* method : methods) {
        if (seed < method->runs.size()) queue.push_back(method->runs[seed]);
      }
    }
    std::erase_if(queue, [&](std::size_t run) {
      return !runs[run].settings || runs[run].result.empty() || !runs[run].has_model();
    });
    queues.push_back(std::move(queue));
  }
  std::set<std::size_t> chosen;
  for (std::size_t turn = 0; turn < runs.size(); ++turn) {
    for (const auto& queue : queues) {
      if (turn < queue.size() && chosen.size() < kMostDetailed) chosen.insert(queue[turn]);
    }
  }
  return chosen;
}

}  // namespace evenkeel::report
