// A run's figures for people. In: what result.json holds; out: a table for each part and group.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace evenkeel::cli {

// "recall@20" of an entry such as {"recall@20": 0.1, "users": 7}; "-" where it is missing.
std::string figure(const nlohmann::json& entry, const std::string& key, int decimals = 4);

// One row per part: recall, ndcg, hr at k and the number of users.
std::string evaluations_table(const nlohmann::json& evaluations, std::size_t k);

// One row for each part and group of items or users.
std::string groups_table(const nlohmann::json& groups, std::size_t k);

// One row for each figure of exposure and popularity at k, one column per part.
std::string popularity_table(const nlohmann::json& evaluations, std::size_t k);

}  // namespace evenkeel::cli
