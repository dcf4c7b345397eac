// Tables that ranks hold between them. In: this rank's rows, and the cuts that say whose the others
// are: rank r holds rows [cuts[r], cuts[r + 1]); out: rows of any rank, here.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/types.h"
#include "cluster/cluster.h"

namespace evenkeel::cluster {

// The cuts that ranks hold a table by.
std::vector<std::size_t> row_cuts(Cluster& ranks, const Matrix& held);
// All rows, on every rank.
Matrix whole_table(Cluster& ranks, const Matrix& held, std::span<const std::size_t> cuts);
// These rows (ascending, the same on every rank), one after the other.
Matrix fetched_rows(Cluster& ranks, const Matrix& held, std::span<const std::size_t> cuts,
                    std::span<const Row> rows);

}  // namespace evenkeel::cluster
