// Methods against each other, user by user. In: every run's figures; out: paired differences with
// intervals and p-values, and p-values corrected for being many.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "report/methods.h"
#include "report/run_detail.h"

namespace evenkeel::report {

// A difference whose corrected p-value is below this is called beyond chance.
inline constexpr double kBeyondChance = 0.05;

// Two tests with the same pairs: comparing on both would say one thing twice.
bool same_pairs(const data::Part& a, const data::Part& b);

// Every pair of methods on every test that is no copy of an earlier one, Recall and NDCG. A user's
// figure is its mean over the method's detailed seeds. Methods that were tested on other pairs are
// not compared.
nlohmann::json compare_methods(
    std::span<const MethodGroup> methods, const std::map<std::size_t, RunDetail>& details,
    const std::map<std::size_t, std::shared_ptr<const data::Dataset>>& data);

// Of Recall on `part` between two methods, by Holm over all comparisons of the first; nothing
// where they were not compared.
std::optional<double> holm_p(const nlohmann::json& data_set, std::size_t method, std::size_t other,
                             const std::string& part);

// "p < 0.001", "p = 0.053", "p = 0.27": never one that reads as the limit itself.
std::string p_text(double p);

}  // namespace evenkeel::report
