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
  std::uint32_t sample;
};

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

}  // namespace evenkeel::kernels
