// Matrix factorisation: the final vectors are the tables.
#pragma once

#include <algorithm>

#include "encoder/encoder.h"

namespace evenkeel::encoder {

class Mf final : public Encoder {
 public:
  Mf(std::size_t users, std::size_t items, std::size_t dim, std::uint64_t seed,
     ExtraRows extra = {})
      : users_(starting_table(users, extra.users, dim, seed, Side::kUser)),
        items_(starting_table(items, extra.items, dim, seed, Side::kItem)) {}

  Matrix& table(Side side) override { return side == Side::kUser ? users_ : items_; }
  const Matrix& vectors(Side side) const override { return side == Side::kUser ? users_ : items_; }
  bool vectors_are_tables() const override { return true; }
  void forward(std::span<const Row>, std::span<const Row>, Threads&) override {}
  void forward_all(Threads&) override {}
  void set_vector(Side side, Row row, std::span<const float> vector) override {
    std::copy(vector.begin(), vector.end(), table(side).row(row));
  }
  RowConsumer& gradients(Side, RowConsumer& update) override { return update; }
  void backward(RowConsumer&, RowConsumer&, Threads&) override {}

 private:
  Matrix users_, items_;
};

}  // namespace evenkeel::encoder
