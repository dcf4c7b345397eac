// What the values of a column look like. In: rows from the start of a table; out: whether every
// value of a column is a number, a rating, a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace evenkeel::data {

using SampleRows = std::vector<std::vector<std::string>>;

bool looks_numeric(const SampleRows& rows, std::size_t column);

// Numbers from 1e8 up (seconds since 1970 after March 1973, or smaller units) or ISO dates. Item
// numbers rarely reach that far.
bool looks_like_times(const SampleRows& rows, std::size_t column);

// Few different values from -10 to 10: whole, half, or written with a decimal point.
bool looks_like_ratings(const SampleRows& rows, std::size_t column);

}  // namespace evenkeel::data
