// Compressed rows. In: pairs; out: for each row the sorted, unique columns it holds.
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
  // How much each pair counts where some count more, one for each column; empty: all alike.
  std::vector<float> weights = {};

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

// Pairs on their way to other rows, with their weights if they have any.
struct PairList {
  std::vector<Pair> pairs;
  std::vector<float> weights = {};  // empty, or one for each pair
  void add(std::size_t row, const Csr& from, std::uint64_t at) {
    pairs.push_back({static_cast<Row>(row), from.columns[at]});
    if (!from.weights.empty()) weights.push_back(from.weights[at]);
  }
  void add(const Csr& from) {
    for (std::size_t r = 0; r < from.rows(); ++r) {
      for (std::uint64_t at = from.offsets[r]; at < from.offsets[r + 1]; ++at) add(r, from, at);
    }
  }
};

// Sorts, drops repeats. `by` picks the row side: kUser gives user -> items, kItem item -> users.
Csr make_csr(std::span<const Pair> pairs, std::size_t rows, Side by);
// The same, user -> items; weights of repeats add up.
Csr make_csr(const PairList& list, std::size_t users);

// The same pairs seen from the other side, without weights: columns become rows.
Csr transposed(const Csr& csr, std::size_t columns);

}  // namespace evenkeel::data
