// The words every room shares: row numbers, pairs and spans over them.
// Users and items are dense rows from 0; their external ids live in data/ids.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace evenkeel {

using Row = std::uint32_t;  // a user or an item by its dense number

struct Pair {
  Row user = 0;
  Row item = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

enum class Side { kUser, kItem };

// Rows behind the users' and items' own that a method trains besides (a control table, a weight
// vector). They are compared like any row but take no part in a graph; extra items that are `twins`
// stand where the items do: the k-th of them hears the neighbours of item k.
struct ExtraRows {
  std::size_t users = 0, items = 0;
  bool twins = false;
};

}  // namespace evenkeel
