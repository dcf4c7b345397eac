// Matrix factorisation. In: the tables that train; out: the same rows, the final vectors. Of
// several ranks each holds and moves its own users and all items.
#pragma once

#include <algorithm>
#include <vector>

#include "cluster/cluster.h"
#include "encoder/encoder.h"

namespace evenkeel::encoder {

class Mf final : public Encoder {
 public:
  Mf(std::size_t users, std::size_t items, std::size_t dim, std::uint64_t seed,
     ExtraRows extra = {}, const cluster::Cluster& ranks = cluster::alone())
      : items_(starting_table(items, extra.items, dim, seed, Side::kItem)) {
    RowRange held{0, users + extra.users};
    // So few users that one rank would have them all: every rank has them, and moves them alike.
    if (!ranks.alone() && held.end > kOwnedTogether) {
      owned_users_ = cluster::even_cuts(held.end, kOwnedTogether, ranks.size());
      const auto rank = static_cast<std::size_t>(ranks.rank());
      held = {owned_users_[rank], owned_users_[rank + 1]};
    }
    users_ = starting_table(users, extra.users, dim, seed, Side::kUser, held);
  }

  Matrix& table(Side side) override { return side == Side::kUser ? users_ : items_; }
  const Matrix& vectors(Side side) const override { return side == Side::kUser ? users_ : items_; }
  bool vectors_are_tables() const override { return true; }
  std::span<const std::size_t> owned_rows(Side side) const override {
    return side == Side::kUser ? std::span<const std::size_t>(owned_users_)
                               : std::span<const std::size_t>();
  }
  void forward(std::span<const Row>, std::span<const Row>, Threads&) override {}
  void forward_all(Threads&) override {}
  void set_vector(Side side, Row row, std::span<const float> vector) override {
    std::copy(vector.begin(), vector.end(), table(side).row(row));
  }
  RowConsumer& gradients(Side, RowConsumer& update) override { return update; }
  void backward(RowConsumer&, RowConsumer&, Threads&) override {}

 private:
  static constexpr std::size_t kOwnedTogether = 512;  // rows: whole buckets of rows/grouping.h

  Matrix users_, items_;
  std::vector<std::size_t> owned_users_;
};

}  // namespace evenkeel::encoder
