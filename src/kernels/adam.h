// Adam on rows. In: a row, its moments and its gradient; out: the row after the step, or after the
// steps without gradient that it has missed.
#pragma once

#include <cstddef>

#include "base/row_consumer.h"
#include "base/types.h"

namespace evenkeel::kernels {

struct AdamRates {
  float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F;
};

// What depends on the step number t only: lr / (1 - beta1^t) and 1 / sqrt(1 - beta2^t).
struct AdamStep {
  float rate = 0;
  float correction = 0;
};

// One step for each of a list of rows: row -= rate * m / (sqrt(v) * correction + epsilon) after the
// moments took in the gradient (one padded row each, in the order of the list), which gains
// decay[k] * row (L2).
struct AdamTables {
  float* rows;
  float* m;
  float* v;
  std::size_t stride;
};
void adam_rows(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const Row* ids, std::size_t count, const float* gradients, const float* decay);

// The same with gradients formed on the way: each row is summed, projected, moved and measured
// while it is at hand.
void adam_sums(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const RowSums& sums);

// The same with a zero gradient for each of `count` steps in turn: bit-identical to having made
// them one by one.
void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 const AdamTables& tables, Row row);

// A run of n steps without gradient as one sum. Step j moves a row by w_j m / (sqrt(v) x_j +
// epsilon) with w_j = rate_j beta1^j and x_j = correction_j beta2^(j/2); x hardly varies over the
// ten steps that weigh, so 1 / (sqrt(v) x + epsilon) is expanded around the weighted mean of x; the
// third coefficient is chosen such that rows to which epsilon means nothing, nearly all, move as
// they should exactly.
struct AdamSkip {
  float weight = 0;             // sum of w
  float mean = 0;               // of x, weighted by w
  float second = 0, third = 0;  // central moment of x, and what takes the place of the next
  float keep1 = 1, keep2 = 1;   // beta1^n, beta2^n
};
// Row `ahead` comes soon and is fetched meanwhile.
void adam_skip(const AdamRates& rates, const AdamSkip& fade, const AdamTables& tables, Row row,
               Row ahead);

}  // namespace evenkeel::kernels
