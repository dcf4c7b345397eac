// In: popularity. Out: rows in its order, and the thirds of that order.
#include "data/groups.h"

#include <algorithm>
#include <numeric>

namespace evenkeel::data {

std::vector<Row> rows_by_popularity(std::span<const std::uint32_t> popularity) {
  std::vector<Row> rows(popularity.size());
  std::iota(rows.begin(), rows.end(), Row{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Row a, Row b) { return popularity[a] > popularity[b]; });
  return rows;
}

std::vector<std::uint8_t> popularity_thirds(std::span<const std::uint32_t> popularity) {
  const std::vector<Row> rows = rows_by_popularity(popularity);
  std::vector<std::uint8_t> third(rows.size());
  // Ceiling cuts: 10 rows give 4, 3, 3.
  const std::size_t head = (rows.size() + 2) / 3, mid = (rows.size() * 2 + 2) / 3;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    third[rows[n]] = static_cast<std::uint8_t>(n < head ? 0 : n < mid ? 1 : 2);
  }
  return third;
}

}  // namespace evenkeel::data
