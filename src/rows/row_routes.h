// Which rows go from rank to rank in a step. In: the row of every entry of a batch, who works on
// which entries and who owns which rows; out: what other ranks want of this one, and what it wants
// of them. Every rank reads both from the batch, so no list travels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/types.h"

namespace evenkeel::rows {

// Entries of a batch and the ranks that work on them: rank r on those from first + cuts[r] to
// first + cuts[r + 1]. No cuts: every rank on all from `first` on.
struct Worked {
  std::size_t first = 0;
  std::span<const std::size_t> cuts = {};
};

class RowRoutes {
 public:
  // Rank r owns rows [owned[r], owned[r + 1]) of the table. None at all: nothing goes anywhere.
  RowRoutes(std::size_t rank, std::span<const std::size_t> owned);

  bool owns(Row row) const { return own_.have(row); }

  // One of these: lists of entries, or of the rows that they name, each row once for each rank.
  void list_entries(std::span<const Row> row_of_entry, std::span<const Worked> work);
  void list_rows(std::span<const Row> row_of_entry, std::span<const Worked> work);

  struct List {  // [cuts[r], cuts[r + 1]) for or from rank r; none of this one
    std::vector<std::uint32_t> ids;
    std::vector<std::size_t> cuts;

    void make_room(std::size_t size) {
      if (ids.size() < size) ids.resize(2 * size);
    }
  };
  const List& wanted_here() const { return here_; }    // this rank works on them, others own them
  const List& wanted_there() const { return there_; }  // this rank owns them, others work on them

 private:
  struct Rows {
    Row first = 0, count = 0;
    bool have(Row row) const { return row - first < count; }  // what is below `first` wraps round
  };
  Rows rows_of(std::size_t rank) const {
    return {static_cast<Row>(owned_[rank]), static_cast<Row>(owned_[rank + 1] - owned_[rank])};
  }
  void list(std::span<const Row> row_of_entry, std::span<const Worked> work, bool once);
  std::size_t add_entries(std::span<const Row> row_of_entry, RowRange entries, Rows rows,
                          List& list, std::size_t place);
  std::size_t add_rows(std::span<const Row> row_of_entry, RowRange entries, Rows rows, List& list,
                       std::size_t place);

  std::size_t rank_;
  std::span<const std::size_t> owned_;
  Rows own_;
  List here_, there_;
  std::vector<std::uint32_t> listed_;  // one bit per row
};

}  // namespace evenkeel::rows
