// In: rows of text. Out: the kind of values in a column.
#include "data/column_looks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/numbers.h"

namespace evenkeel::data {
namespace {

constexpr double kEarliestTime = 1e8;
constexpr double kHighestRating = 10;
constexpr std::size_t kMostRatings = 21;  // 0 to 10 in halves

template <typename Test>
bool all_values(const SampleRows& rows, std::size_t column, Test test) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
    return column < row.size() && test(row[column]);
  });
}

}  // namespace

bool looks_numeric(const SampleRows& rows, std::size_t column) {
  return all_values(rows, column,
                    [](const std::string& value) { return parse_finite(value).has_value(); });
}

bool looks_like_times(const SampleRows& rows, std::size_t column) {
  return all_values(rows, column, [](const std::string& value) {
    const auto number = parse_finite(value);
    return number ? *number >= kEarliestTime : parse_time(value).has_value();
  });
}

bool looks_like_ratings(const SampleRows& rows, std::size_t column) {
  std::set<double> values;
  const bool fit = all_values(rows, column, [&](const std::string& value) {
    const auto number = parse_finite(value);
    if (!number || std::abs(*number) > kHighestRating) return false;
    values.insert(*number);
    return *number * 2 == std::floor(*number * 2) || value.find('.') != std::string::npos;
  });
  return fit && values.size() <= kMostRatings;
}

}  // namespace evenkeel::data
