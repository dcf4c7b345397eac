// Tables on their way into a file that the first rank writes. In: tables of which each rank has
// some rows; out: their rows on the first rank, a stretch at a time, so that none of them is whole
// there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "cluster/cluster.h"
#include "io/safetensors.h"

namespace evenkeel::train {

class RowStream {
 public:
  explicit RowStream(cluster::Cluster& ranks) : ranks_(ranks) {}

  // Rows [cuts[r], cuts[r + 1]) come from rank r. Every rank adds the same tables in the same
  // order; the first hands what it gets to a writer, which fetches in that order.
  io::SafetensorsWriter::FetchedRows add(const Matrix& table, std::span<const std::size_t> cuts);
  // All stretches that nobody has fetched: on the other ranks all of them, and on the first those
  // that a failed write left, since the others send them in any case.
  void finish();

 private:
  struct Table {
    const Matrix* rows;
    std::vector<std::size_t> cuts;
    std::size_t at_once;
  };
  const float* next();  // the stretch that is due, on every rank

  cluster::Cluster& ranks_;
  std::vector<Table> tables_;
  std::size_t table_ = 0, row_ = 0;  // where the next stretch begins
  std::vector<float> stretch_;
};

}  // namespace evenkeel::train
