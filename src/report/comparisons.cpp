// In: figures of users. Out: which differences are more than luck.
#include "report/comparisons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/correlation.h"
#include "eval/significance.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

bool same_tests(const data::Dataset& a, const data::Dataset& b) {
  if (a.tests.size() != b.tests.size() || a.users.bytes() != b.users.bytes()) return false;
  for (std::size_t t = 0; t < a.tests.size(); ++t) {
    if (a.tests[t].name != b.tests[t].name || !same_pairs(a.tests[t], b.tests[t])) return false;
  }
  return true;
}

// The figures of a method: means over its seeds, user by user.
struct Figures {
  std::size_t method = 0, seeds = 0;
  std::shared_ptr<const data::Dataset> data;
  std::vector<std::string> parts;
  std::vector<eval::Evaluation> evaluations;
};

void add_seed(Figures& figures, const RunDetail& detail) {
  ++figures.seeds;
  const double share = 1 / static_cast<double>(figures.seeds);
  for (std::size_t part = 0; part < figures.evaluations.size(); ++part) {
    auto& users = figures.evaluations[part].per_user;
    const auto& more = detail.figures[part].per_user;
    for (std::size_t u = 0; u < users.size(); ++u) {
      users[u].recall += share * (more[u].recall - users[u].recall);
      users[u].ndcg += share * (more[u].ndcg - users[u].ndcg);
    }
  }
}

std::optional<Figures> figures_of(
    std::size_t index, const MethodGroup& method, const std::map<std::size_t, RunDetail>& details,
    const std::map<std::size_t, std::shared_ptr<const data::Dataset>>& data) {
  std::optional<Figures> figures;
  for (const std::size_t run : method.runs) {
    const auto detail = details.find(run);
    const auto own = data.find(run);
    if (detail == details.end() || own == data.end() || detail->second.figures.empty()) continue;
    if (!figures) {
      figures = Figures{index, 1, own->second, detail->second.parts, detail->second.figures};
    } else if (detail->second.parts == figures->parts && same_tests(*figures->data, *own->second)) {
      add_seed(*figures, detail->second);
    }
  }
  return figures;
}

json compare(const Figures& first, const Figures& second, std::size_t part, const char* metric,
             double eval::UserResult::*figure) {
  const eval::PairedFigures pairs =
      eval::pair_users(first.evaluations[part], second.evaluations[part], figure);
  analysis::Moments difference;
  for (std::size_t n = 0; n < pairs.a.size(); ++n) difference.add(pairs.a[n] - pairs.b[n]);
  const double half = 1.96 * difference.sample_sd().value_or(0) /
                      std::sqrt(static_cast<double>(std::max<std::size_t>(difference.count, 1)));
  return {{"a", first.method},
          {"b", second.method},
          {"part", first.parts[part]},
          {"metric", metric},
          {"seeds", std::min(first.seeds, second.seeds)},
          {"users", difference.count},
          {"difference", number(difference.mean)},
          {"low", number(difference.mean - half)},
          {"high", number(difference.mean + half)},
          {"p", number(eval::paired_t_test(pairs.a, pairs.b).p)},
          {"p_signed_rank", number(eval::signed_rank_test(pairs.a, pairs.b).p)}};
}

bool is_copy(const data::Dataset& data, const std::string& part) {
  const auto own = std::find_if(data.tests.begin(), data.tests.end(),
                                [&](const data::Part& test) { return test.name == part; });
  return own != data.tests.end() && std::any_of(data.tests.begin(), own, [&](const auto& test) {
           return same_pairs(test, *own);
         });
}

}  // namespace

bool same_pairs(const data::Part& a, const data::Part& b) {
  return a.items_of.columns == b.items_of.columns && a.items_of.offsets == b.items_of.offsets;
}

json compare_methods(std::span<const MethodGroup> methods,
                     const std::map<std::size_t, RunDetail>& details,
                     const std::map<std::size_t, std::shared_ptr<const data::Dataset>>& data) {
  std::vector<Figures> all;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    if (auto figures = figures_of(m, methods[m], details, data)) all.push_back(std::move(*figures));
  }
  json comparisons = json::array();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      if (all[a].parts != all[b].parts || !same_tests(*all[a].data, *all[b].data)) continue;
      for (std::size_t part = 0; part < all[a].parts.size(); ++part) {
        if (is_copy(*all[a].data, all[a].parts[part])) continue;
        comparisons.push_back(compare(all[a], all[b], part, "recall", &eval::UserResult::recall));
        comparisons.push_back(compare(all[a], all[b], part, "ndcg", &eval::UserResult::ndcg));
      }
    }
  }
  return comparisons;
}

std::optional<double> holm_p(const json& data_set, std::size_t method, std::size_t other,
                             const std::string& part) {
  std::vector<double> raw;
  std::size_t place = 0;
  bool found = false;
  for (const json& comparison : data_set["comparisons"]) {
    if (comparison["part"] != part || comparison["metric"] != "recall" ||
        !comparison["p"].is_number() || (comparison["a"] != method && comparison["b"] != method)) {
      continue;
    }
    if (comparison["a"] == other || comparison["b"] == other) {
      found = true;
      place = raw.size();
    }
    raw.push_back(comparison["p"].get<double>());
  }
  if (!found) return std::nullopt;
  return eval::holm_adjusted(raw)[place];
}

std::string p_text(double p) {
  return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.{}f}", p, p < 0.1 ? 3 : 2);
}

}  // namespace evenkeel::report
