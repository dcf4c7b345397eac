// In: rows by rank. Out: copies of them on all.
#include "cluster/held_rows.h"

#include <algorithm>

#include "base/error.h"
#include "cluster/shares.h"

namespace evenkeel::cluster {

std::vector<std::size_t> row_cuts(Cluster& ranks, const Matrix& held) {
  std::vector<std::uint64_t> ends(static_cast<std::size_t>(ranks.size()), 0);
  ends[static_cast<std::size_t>(ranks.rank())] = held.held().end;
  ranks.sum(ends);
  std::vector<std::size_t> cuts{0};
  cuts.insert(cuts.end(), ends.begin(), ends.end());
  EVENKEEL_CHECK(cuts[static_cast<std::size_t>(ranks.rank())] == held.held().begin);
  return cuts;
}

Matrix whole_table(Cluster& ranks, const Matrix& held, std::span<const std::size_t> cuts) {
  EVENKEEL_CHECK(cuts.back() == held.rows());
  Matrix whole(held.rows(), held.dim());
  const RowRange own = held.held();
  std::copy(held.row(own.begin), held.row(own.end), whole.row(own.begin));
  Shares(ranks).share({share_of(whole, cuts)});
  return whole;
}

Matrix fetched_rows(Cluster& ranks, const Matrix& held, std::span<const std::size_t> cuts,
                    std::span<const Row> rows) {
  std::vector<std::size_t> places;
  for (const std::size_t cut : cuts) {
    places.push_back(
        static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), cut) - rows.begin()));
  }
  Matrix fetched(rows.size(), held.dim());
  const auto rank = static_cast<std::size_t>(ranks.rank());
  for (std::size_t k = places[rank]; k < places[rank + 1]; ++k) {
    std::copy_n(held.row(rows[k]), held.stride(), fetched.row(k));
  }
  Shares(ranks).share({share_of(fetched, places)});
  return fetched;
}

}  // namespace evenkeel::cluster
