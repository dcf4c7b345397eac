// In: training popularity. Out: which third each row belongs to: head, mid or tail.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace evenkeel::data {

// Rows by popularity, most popular first; ties to the lower row.
std::vector<Row> rows_by_popularity(std::span<const std::uint32_t> popularity);

// 0 head, 1 mid, 2 tail: thirds by count, of items or of users; sizes differ by at most one, the
// head first.
std::vector<std::uint8_t> popularity_thirds(std::span<const std::uint32_t> popularity);

}  // namespace evenkeel::data
