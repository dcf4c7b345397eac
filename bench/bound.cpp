// In: work and limits. Out: the bound. Reads and writes count alike; what is read from memory and
// what is read from cache follow each other, multiply-adds overlap with both.
#include "bound.h"

#include <algorithm>
#include <cmath>

namespace evenkeel::bench {
namespace {

// Of `rows`, how many different ones `draws` uniform draws name.
double distinct(double draws, double rows) {
  return rows * (1.0 - std::exp(-draws / rows));
}

}  // namespace

double pairs_per_positive(const Work& work) {
  return work.negatives + 1;
}

// Similarity, user's gradient, item's gradient: three products of dim with each item.
double flop_per_positive(const Work& work) {
  return 6.0 * static_cast<double>(work.dim) * pairs_per_positive(work);
}

Bound bound_of(const Work& work, const data::Dataset& data, const Limits& limits) {
  const double row = 4.0 * static_cast<double>(work.dim);
  const auto users = static_cast<double>(data.users.size());
  const auto items = static_cast<double>(data.items.size());
  const double touched = distinct(work.drawn_items + kBatch, items) + distinct(kBatch, users);
  // Read for the similarity; then row and two moments, in and out.
  double bytes = 7.0 * row * touched;
  bytes += work.edge_passes * 2.0 * static_cast<double>(data.interactions()) * work.edge_bytes *
           static_cast<double>(work.dim);
  Bound bound;
  bound.table_bytes = bytes / kBatch;
  bound.cache_bytes = work.row_reads * row * pairs_per_positive(work);
  const double moving =
      bound.table_bytes / (1e9 * limits.memory_gbps) + bound.cache_bytes / (1e9 * limits.l2_gbps);
  const double multiplying = flop_per_positive(work) / (1e9 * limits.fma_gflops);
  bound.positives = 1.0 / std::max(moving, multiplying);
  return bound;
}

}  // namespace evenkeel::bench
