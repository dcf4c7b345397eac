// Products of samples and items, cell by cell. In: the entries of a cell, whose users' and items'
// rows fit the L2 cache together; out: their similarities, or their users' gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace evenkeel::kernels {

struct CellEntry {
  Row row;  // of the item
  std::uint32_t sample : 31;
  std::uint32_t first : 1;  // of its sample's entries: the positive
};

inline CellEntry cell_entry(Row row, std::uint32_t sample, bool first) {
  return {row, sample & ~(1U << 31), first};  // there are fewer than 2^31 samples
}

struct CellTables {
  const float* items;
  std::size_t stride;
  const float* item_scale;  // by item; null: all ones
  // Rows of the next cell's bucket, [next, next + next_floats): fetched into L2 meanwhile.
  const float* next = nullptr;
  std::size_t next_floats = 0;
};

// out[k] = dot(row of entry k's sample in `users`, its item's row) * scale
void cell_dots(const CellTables& tables, std::span<const CellEntry> cell, const float* users,
               float* out);

// The sample's row in `gradients` += weights[k] * scale * item's row, entry after entry.
void cell_sums(const CellTables& tables, std::span<const CellEntry> cell, const float* weights,
               float* gradients);

// Both in one pass, for a softmax whose sum is not known yet: with s the entry's product and
// e = exp((s - 1) / tau), out[k] = e, the sample's total += e and its row in `gradients` += e *
// scale * item's row. A first entry only leaves s in out[k].
void cell_exponentials(const CellTables& tables, std::span<const CellEntry> cell,
                       const float* users, float tau, float* out, float* totals, float* gradients);

}  // namespace evenkeel::kernels
