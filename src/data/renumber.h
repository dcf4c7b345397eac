// Rows that get new numbers as they come by. In: old rows and their texts; out: new rows, from 0 on
// in the order of first appearance, and the ids of those that came.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/types.h"
#include "data/ids.h"

namespace evenkeel::data {

template <typename Texts>  // Ids or IdTable; must outlive it
class Renumber {
 public:
  explicit Renumber(const Texts& old) : old_(old), rows_(old.size(), kNew) {
    fresh_.reserve(old.size());
  }
  Row operator()(Row row) {
    if (rows_[row] == kNew) rows_[row] = fresh_.insert(old_.text(row));
    return rows_[row];
  }
  bool has(Row row) const { return rows_[row] != kNew; }
  const Ids& ids() const { return fresh_; }
  Ids take() { return std::move(fresh_); }

 private:
  static constexpr Row kNew = ~Row{0};
  const Texts& old_;
  std::vector<Row> rows_;
  Ids fresh_;
};

// Both sides of pairs.
template <typename Texts>
struct RenumberPairs {
  RenumberPairs(const Texts& old_users, const Texts& old_items)
      : users(old_users), items(old_items) {}
  Pair operator()(const Pair& pair) { return {users(pair.user), items(pair.item)}; }
  // Nothing for a pair of which a side never came.
  std::optional<Pair> known(const Pair& pair) {
    if (!users.has(pair.user) || !items.has(pair.item)) return std::nullopt;
    return (*this)(pair);
  }
  Renumber<Texts> users, items;
};

}  // namespace evenkeel::data
