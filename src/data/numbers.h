// In: a field's text. Out: a rating, a weight or a time as a finite number, or nothing.
#pragma once

#include <optional>
#include <string_view>

namespace evenkeel::data {

std::optional<double> parse_finite(std::string_view text);

inline constexpr double kMostWeight = 1e12;                 // far from where floats end
std::optional<double> parse_weight(std::string_view text);  // from 0 to kMostWeight

// A number in any unit, or an ISO 8601 date (2024-05-01, 2024-05-01T12:30:00Z, +02:00), which
// becomes seconds since 1970.
std::optional<double> parse_time(std::string_view text);

}  // namespace evenkeel::data
