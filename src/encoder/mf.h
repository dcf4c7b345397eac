// Matrix factorisation. In: the tables that train; out: the same rows, the final vectors. Of
// several ranks each holds and moves its own users, and its own items or all of them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "encoder/encoder.h"
#include "encoder/owned_rows.h"

namespace evenkeel::encoder {

class Mf final : public Encoder {
 public:
  Mf(std::size_t users, std::size_t items, std::size_t dim, std::uint64_t seed,
     ExtraRows extra = {}, OwnedRows owned = {}, std::size_t rank = 0)
      : owned_(std::move(owned)),
        users_(starting_table(users, extra.users, dim, seed, Side::kUser,
                              held(owned_.users, users + extra.users, rank))),
        items_(starting_table(items, extra.items, dim, seed, Side::kItem,
                              held(owned_.items, items + extra.items, rank))) {}

  Matrix& table(Side side) override { return side == Side::kUser ? users_ : items_; }
  const Matrix& vectors(Side side) const override { return side == Side::kUser ? users_ : items_; }
  bool vectors_are_tables() const override { return true; }
  std::span<const std::size_t> owned_rows(Side side) const override {
    return side == Side::kUser ? owned_.users : owned_.items;
  }
  void forward(std::span<const Row>, std::span<const Row>, Threads&) override {}
  void forward_all(Threads&) override {}
  void set_vector(Side side, Row row, std::span<const float> vector) override {
    std::copy(vector.begin(), vector.end(), table(side).row(row));
  }
  RowConsumer& gradients(Side, RowConsumer& update) override { return update; }
  void backward(RowConsumer&, RowConsumer&, Threads&) override {}

 private:
  static RowRange held(const std::vector<std::size_t>& cuts, std::size_t rows, std::size_t rank) {
    return cuts.empty() ? RowRange{0, rows} : RowRange{cuts[rank], cuts[rank + 1]};
  }

  OwnedRows owned_;
  Matrix users_, items_;
};

}  // namespace evenkeel::encoder
