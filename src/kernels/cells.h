// Products of samples and items, cell by cell. In: the entries of a cell, whose users' and items'
// rows fit the L2 cache together; out: their similarities, or their users' gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace evenkeel::kernels {

// Rows and samples count from the cell's first.
struct CellEntry {
  static constexpr std::uint32_t kRowBits = 10, kSampleBits = 21;
  std::uint32_t row : kRowBits;  // of the item
  std::uint32_t sample : kSampleBits;
  std::uint32_t first : 1;  // of its sample's entries: the positive
};

inline CellEntry cell_entry(std::uint32_t row, std::uint32_t sample, bool first) {
  return {row & ((1U << CellEntry::kRowBits) - 1), sample & ((1U << CellEntry::kSampleBits) - 1),
          first};
}

struct CellTables {
  const float* items;  // from the cell's first
  std::size_t stride;
  const float* item_scale;  // by item, likewise; null: all ones
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
