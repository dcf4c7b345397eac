// The contract of an encoder. In: trainable tables, one row for each user and item; out: the final
// vectors that are compared, and the way back for their gradients.
#pragma once

#include <span>

#include "base/matrix.h"
#include "base/row_consumer.h"
#include "base/threads.h"
#include "base/types.h"
#include "cluster/cluster.h"

namespace evenkeel::encoder {

// Ranks that train tables between them. Where vectors are tables each owns users of its own; and
// items, if their rows are to travel to whoever reads them.
struct Division {
  cluster::Cluster& ranks = cluster::alone();
  bool items = false;
  double positives = 0, drawn = 0;  // of a step, and items that it names beside them
};

class Encoder {
 public:
  virtual ~Encoder() = default;

  // Layer 0: what trains. Where vectors are tables, a rank holds the rows that it owns. At the
  // numbers of others it finds what they lent it last, or zeros.
  virtual Matrix& table(Side side) = 0;
  virtual const Matrix& vectors(Side side) const = 0;  // final: what is compared

  // Whether the vectors are the tables themselves: then a row changes only when it is updated.
  virtual bool vectors_are_tables() const { return false; }

  // Which rows of the table each rank moves: [cuts[r], cuts[r + 1]) for rank r. Empty: every rank
  // moves every row, alike.
  virtual std::span<const std::size_t> owned_rows(Side) const { return {}; }

  // Makes the final vectors of these rows (distinct) valid, or those of all rows.
  virtual void forward(std::span<const Row> users, std::span<const Row> items, Threads&) = 0;
  virtual void forward_all(Threads&) = 0;
  // Gives a row that no pair touches, and that therefore learns nothing, this final vector; it
  // holds until the next forward_all().
  virtual void set_vector(Side side, Row row, std::span<const float> vector) = 0;

  // Where the gradients of final vectors go. An encoder whose vectors are its tables hands them
  // straight to the optimizer (`update`).
  virtual RowConsumer& gradients(Side side, RowConsumer& update) = 0;
  // Carries what was consumed back to the tables, if that is still to be done.
  virtual void backward(RowConsumer& update_users, RowConsumer& update_items, Threads&) = 0;
};

// normal(0, sqrt(2 / (rows + dim))) for the rows, and likewise for the extra rows behind them;
// keyed by row: the same at any thread count, and in a table of which only some rows are held.
Matrix starting_table(std::size_t rows, std::size_t extra, std::size_t dim, std::uint64_t seed,
                      Side side);
Matrix starting_table(std::size_t rows, std::size_t extra, std::size_t dim, std::uint64_t seed,
                      Side side, RowRange held);

}  // namespace evenkeel::encoder
