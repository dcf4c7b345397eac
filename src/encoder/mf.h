// Matrix factorisation. In: the tables that train; out: the same rows, the final vectors. Of
// several ranks each holds and moves its own users, and its own items or all of them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/row_buckets.h"
#include "cluster/cluster.h"
#include "encoder/encoder.h"

namespace evenkeel::encoder {

class Mf final : public Encoder {
 public:
  Mf(std::size_t users, std::size_t items, std::size_t dim, std::uint64_t seed,
     ExtraRows extra = {}, const Division& among = {})
      : owned_users_(cuts(users + extra.users, kOwnedTogether, among.ranks)),
        owned_items_(among.items
                         ? cuts(items + extra.items, bucket(items + extra.items), among.ranks)
                         : std::vector<std::size_t>()),
        users_(starting_table(users, extra.users, dim, seed, Side::kUser,
                              held(owned_users_, users + extra.users, among.ranks))),
        items_(starting_table(items, extra.items, dim, seed, Side::kItem,
                              held(owned_items_, items + extra.items, among.ranks))) {}

  Matrix& table(Side side) override { return side == Side::kUser ? users_ : items_; }
  const Matrix& vectors(Side side) const override { return side == Side::kUser ? users_ : items_; }
  bool vectors_are_tables() const override { return true; }
  std::span<const std::size_t> owned_rows(Side side) const override {
    return side == Side::kUser ? owned_users_ : owned_items_;
  }
  void forward(std::span<const Row>, std::span<const Row>, Threads&) override {}
  void forward_all(Threads&) override {}
  void set_vector(Side side, Row row, std::span<const float> vector) override {
    std::copy(vector.begin(), vector.end(), table(side).row(row));
  }
  RowConsumer& gradients(Side, RowConsumer& update) override { return update; }
  void backward(RowConsumer&, RowConsumer&, Threads&) override {}

 private:
  static constexpr std::size_t kOwnedTogether = 512;  // users: whole buckets of any table
  static std::size_t bucket(std::size_t rows) { return std::size_t{1} << bucket_bits(rows); }

  // Whole buckets for each rank. Of so few rows that one rank would have them all, every rank has
  // all, and moves them alike: no cuts.
  static std::vector<std::size_t> cuts(std::size_t rows, std::size_t together,
                                       const cluster::Cluster& ranks) {
    if (ranks.alone() || rows <= together) return {};
    return cluster::even_cuts(rows, together, ranks.size());
  }
  static RowRange held(const std::vector<std::size_t>& cuts, std::size_t rows,
                       const cluster::Cluster& ranks) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    return cuts.empty() ? RowRange{0, rows} : RowRange{cuts[rank], cuts[rank + 1]};
  }

  std::vector<std::size_t> owned_users_, owned_items_;
  Matrix users_, items_;
};

}  // namespace evenkeel::encoder
