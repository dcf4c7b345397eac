// The last leg of a gradient. In: rows grouped with their entries and what to sum over the entries
// of a row; out: each row's gradient, taken through the normalisation, scaled, and handed on.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"
#include "base/row_consumer.h"
#include "rows/grouping.h"
#include "rows/singleton_rows.h"

namespace evenkeel::rows {

class RowUpdate {
 public:
  RowUpdate(std::size_t stride, int workers);

  struct Target {
    const Matrix& vectors;       // the final vectors, for the projection
    const float* inverse_norms;  // by row; null: dot products, no projection
    float scale;                 // 1 / batch
    float decay;                 // L2 for each entry of a row
    RowConsumer& to;
    float* new_norms;          // by row; not null: 1 / norm after `to` has moved the row
    bool past_caches = false;  // as in RowSums
  };

  // A row's gradient before projection: over its entries, weight * row `sample` of a table; without
  // weights the sum of those rows.
  struct Sums {
    const float* summands;
    std::uint32_t counted = kAllEntries;  // entries of samples below this count for L2
  };
  // For buckets [begin, end), whose entries are not in order yet.
  void run(Grouping& groups, std::size_t begin, std::size_t end, const Target& target, int worker,
           const Sums& sums);

  // The same for rows with one entry each; `later` come some time after them.
  void run(const SingletonRows& singletons, const SingletonRows& later, const Target& target,
           int worker, const Sums& sums);

  // For gradients that are no such sum: form(samples of the row's entries, worker, gradient) writes
  // it and returns how many entries count for L2.
  using Form = FunctionRef<std::size_t(std::span<const std::uint32_t>, int, float*)>;
  void run(Grouping& groups, std::size_t begin, std::size_t end, const Target& target, int worker,
           Form form);

 private:
  // Blocks of gradients stay in L1 until they are consumed.
  static constexpr std::size_t kBlock = 32;
  static constexpr std::size_t kAhead = 16;  // rows whose tables are fetched during a sum
  struct Scratch {
    Matrix gradients;
    std::vector<float> decay;
  };
  // `all` but for what `target` and `sums` say.
  void hand_over(RowSums all, const Target& target, int worker, const Sums& sums);
  // write(k, gradient) forms the k-th row's gradient and returns what counts for L2.
  template <typename Write>
  void in_blocks(std::span<const Row> rows, const Target& target, Scratch& scratch, Write write);

  std::vector<Scratch> scratch_;  // one per worker
};

}  // namespace evenkeel::rows
