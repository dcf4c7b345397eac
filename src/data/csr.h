// Compressed rows: for each row the sorted, unique columns it holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace evenkeel::data {

struct Csr {
  std::vector<std::uint64_t> offsets{0};  // rows + 1
  std::vector<Row> columns;               // ascending inside a row

  std::size_t rows() const { return offsets.size() - 1; }
  std::size_t size() const { return columns.size(); }
  std::span<const Row> row(std::size_t r) const {
    return {columns.data() + offsets[r], columns.data() + offsets[r + 1]};
  }
  std::size_t count(std::size_t r) const { return offsets[r + 1] - offsets[r]; }
  bool contains(std::size_t r, Row column) const {
    const auto list = row(r);
    return std::binary_search(list.begin(), list.end(), column);
  }

  // For rows that are read at random soon: first where a row stands, then, once that has come, its
  // first columns (the machine sees the rest coming). Always inlined, as prefetch_row is.
  [[gnu::always_inline]] void prefetch_place(std::size_t r) const {
    __builtin_prefetch(&offsets[r], 0, 2);
  }
  [[gnu::always_inline]] void prefetch_columns(std::size_t r) const {
    const auto list = row(r);
    for (std::size_t k = 0; k < std::min<std::size_t>(list.size(), 64); k += 16) {
      __builtin_prefetch(&list[k], 0, 2);
    }
  }
};

// Sorts, drops repeats. `by` picks the row side: kUser gives user -> items, kItem item -> users.
Csr make_csr(std::span<const Pair> pairs, std::size_t rows, Side by);

// The same pairs seen from the other side: columns become rows.
Csr transposed(const Csr& csr, std::size_t columns);

}  // namespace evenkeel::data
