// The most a machine could do. In: what a step must read, write and multiply, and the limits this
// machine showed in the same run; out: positives a second that nothing can pass.
#pragma once

#include "data/dataset.h"
#include "limits.h"

namespace evenkeel::bench {

inline constexpr double kBatch = 2048;

// What a step of kBatch positives has to do at least.
struct Work {
  double negatives = 0;    // a positive is compared with
  double drawn_items = 0;  // item rows a step names, repeats included
  double row_reads = 0;    // rows a pair reads from the cache: 3 when pairs stand alone, for
                           // similarity, user's and item's gradient; 0 in tiles, whose operands
                           // stay in registers
  double edge_passes = 0;  // times a step walks all edges in both directions (LightGCN)
  double edge_bytes = 4;   // of one value of a neighbour's row; 2 in half width
  std::size_t dim = 64;
};

double flop_per_positive(const Work& work);
double pairs_per_positive(const Work& work);

struct Bound {
  double positives = 0;    // a second
  double table_bytes = 0;  // of a positive: rows and moments from and to memory
  double cache_bytes = 0;  // of a positive: rows of its pairs
};
Bound bound_of(const Work& work, const data::Dataset& data, const Limits& limits);

}  // namespace evenkeel::bench
