// The last leg of a gradient. In: rows grouped with their entries and a way to sum the entries of a
// row; out: each row's gradient, taken through the normalisation, scaled, and handed on in blocks
// small enough to stay in L1.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "base/matrix.h"
#include "base/row_consumer.h"
#include "train/grouping.h"

namespace evenkeel {

class RowUpdate {
 public:
  RowUpdate(std::size_t stride, int workers);

  struct Target {
    const Matrix& vectors;       // the final vectors, for the projection
    const float* inverse_norms;  // by row; null: dot products, no projection
    float scale;                 // 1 / batch
    float decay;                 // L2 for each entry of a row
    RowConsumer& to;
    float* new_norms;  // by row; not null: 1 / norm after `to` has moved the row
  };
  // sum(group, worker, gradient) writes the row's gradient before projection and returns how many
  // of the group's entries count for L2.
  using Sum = FunctionRef<std::size_t(const Grouping::Group&, int, float*)>;
  void one_bucket(const Grouping& groups, std::size_t bucket, const Target& target, int worker,
                  Sum sum);

 private:
  static constexpr std::size_t kBlock = 32;
  static constexpr std::size_t kAhead = 16;  // rows whose tables are fetched during a sum
  struct Scratch {
    Matrix gradients;
    std::vector<float> decay;
  };
  std::vector<Scratch> scratch_;  // one a worker
};

}  // namespace evenkeel
