// Figures on their way into the page. In: numbers, ids; out: short JSON, null for what is missing.
#pragma once

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::report {

// Five significant digits: no picture shows more, and the page stays small. Infinity and NaN are
// null.
nlohmann::json number(double value);
inline nlohmann::json number(const std::optional<double>& value) {
  return value ? number(*value) : nlohmann::json();
}

template <typename List>
nlohmann::json numbers(const List& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& value : values) list.push_back(number(value));
  return list;
}

// "12.3 %"; a share that is not zero does not read as zero.
std::string share_text(double share);

// Every number inside, however deep.
nlohmann::json rounded(const nlohmann::json& value);

// Ids are any bytes and any length: UTF-8 of at most 200 bytes comes out.
std::string short_id(std::string_view id);

// At most `most` of `count` places, evenly spread, ascending, the first and the last among them.
std::vector<std::size_t> spread_places(std::size_t count, std::size_t most);

}  // namespace evenkeel::report
