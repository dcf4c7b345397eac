// Where gradients of rows go. In: a block of rows with their gradients; out: whatever the consumer
// does with them (an optimizer moves a table, a graph encoder stores them for its backward pass).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace evenkeel {

struct RowGradients {
  std::span<const Row> rows;
  const float* gradients = nullptr;  // one padded row each
  std::size_t stride = 0;
  const float* decay = nullptr;  // L2: the gradient gains decay[k] * row k of the table
};

inline constexpr std::uint32_t kAllEntries = ~0U;

// Gradients that are still to be formed: that of rows[k] is the sum, over its entries, of their
// weights times the rows of `summands` that they name, taken through the rows' normalisation.
struct RowSums {
  struct Entries {  // of rows[k]: those from starts[k] to starts[k + 1]
    const std::uint32_t* starts = nullptr;
    const std::uint32_t* ids = nullptr;  // rows of `summands`, ascending within a row
    std::size_t readable = 0;            // ids that may be read, to fetch early what they name
    const float* weights = nullptr;      // null: all ones
    const float* summands = nullptr;
  };
  struct Prefetch {
    std::span<const Row> next = {};   // rows that come after these
    std::span<const Row> later = {};  // rows needed some time after these: fetched one with each
  };
  struct Normalisation {
    const float* inverse_norms = nullptr;  // by row of the table; null: dot products, no projection
    float* new_norms = nullptr;  // by row of the table; not null: gets 1 / norm of the moved row
    float scale = 1;             // of the gradient
  };
  struct Decay {  // L2
    float per_entry = 0;
    std::uint32_t counted = kAllEntries;  // entries whose id is below this
  };
  std::span<const Row> rows;
  Entries entries;
  Prefetch prefetch = {};
  Normalisation normalisation = {};
  Decay decay = {};
  float* scratch_row = nullptr;  // one padded row
  // Moved rows are written past the caches: better where another core, with no cache in common,
  // has read them and will again.
  bool past_caches = false;
};

// Entries of the k-th row that count for L2.
inline std::size_t counted_entries(const RowSums& sums, std::size_t k) {
  const std::uint32_t* begin = sums.entries.ids + sums.entries.starts[k];
  const std::uint32_t* end = sums.entries.ids + sums.entries.starts[k + 1];
  const bool all = sums.decay.counted == kAllEntries;
  return static_cast<std::size_t>((all ? end : std::lower_bound(begin, end, sums.decay.counted)) -
                                  begin);
}

class RowConsumer {
 public:
  virtual ~RowConsumer() = default;
  // Called by several threads at once, never twice for one row in a step.
  virtual void consume(const RowGradients& block) = 0;
  virtual void prefetch(Row) const {}  // the row comes soon
  // Whether consume_sums() is there: summing, projecting and moving a row while it is in registers
  // and L1 takes two thirds of the time that blocks of gradients take.
  virtual bool takes_sums() const { return false; }
  virtual void consume_sums(const RowSums&) {}
};

}  // namespace evenkeel
