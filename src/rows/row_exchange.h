// Rows of a batch that ranks send each other. In: who works on which entries and who owns which
// rows; out: before the loss the rows that this rank works on, after it the gradients of the rows
// that it moves, each where it would stand if one process had done all.
#pragma once

#include <array>
#include <span>

#include "cluster/messages.h"
#include "cluster/shares.h"
#include "rows/row_routes.h"
#include "rows/step_parts.h"

namespace evenkeel::rows {

class RowExchange {
 public:
  explicit RowExchange(const StepParts& parts);

  // Whether each rank owns, catches up and moves rows of its own; else every rank does it with all.
  bool divides(Side side) const { return !owned(side).empty(); }
  // Rows that this rank moves.
  RowRange moved(Side side) const;
  bool owns(Row user) const { return users_.owns(user); }

  struct Entries {
    std::span<const Row> rows;
    std::span<const Worked> work;
  };
  // compare(users, out) writes users as they are compared; they go to `compared`, by entry. Items
  // go to their own places in the table, and their norms become known. A side that is not divided
  // is here.
  using Compare = FunctionRef<void(std::span<const Row> users, float* out)>;
  void fetch(const Entries& users, Compare compare, Matrix& compared, const Entries& items,
             float* item_norms);
  // Items of all ranks, whether a batch names them or not.
  void fetch_all_items(cluster::Shares& shares, float* item_norms);

  // After fetch(), with the same work. One padded row for each entry; those of a side that is not
  // divided go to everybody.
  struct Gradients {
    float* rows = nullptr;  // null, with no work: there are none
    Entries entries;
  };
  void return_gradients(const Gradients& users, const Gradients& items,
                        std::span<const cluster::Share> shares);

 private:
  std::span<const std::size_t> owned(Side side) const {
    return side == Side::kUser ? owned_users_ : owned_items_;
  }

  StepParts parts_;
  std::span<const std::size_t> owned_users_, owned_items_;  // cuts; empty: not divided
  RowRoutes users_, items_;
  cluster::Messages messages_;
  std::vector<cluster::Share> shares_;
};

}  // namespace evenkeel::rows
