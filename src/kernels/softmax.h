// The fused softmax row. In: similarities of one positive and its negatives; out: the loss and the
// derivative of the loss with respect to each similarity, or what both are made of.
#pragma once

#include <cstddef>

#include "base/types.h"

namespace evenkeel::kernels {

struct SoftmaxRow {
  float loss = 0;
  float d_positive = 0;  // dL / d(positive)
  float log_sum = 0;     // log of the denominator
};

// loss = -log( e^{positive/tau} / (e^{positive/tau} + sum_k e^{negatives[k]/tau}) ).
// d_negatives may be the same array as negatives. What is -infinity takes no part; the positive may
// be, where a negative is not: log_sum and the derivatives are then those of the negatives alone.
SoftmaxRow softmax_row(float positive, const float* negatives, std::size_t count, float tau,
                       float* d_negatives);

// values[k] = exp((values[k] - 1) / tau) and the sum of all; -infinity becomes 0. For cosines and a
// tau (0.025 or more) with which none underflows.
float exponentials(float* values, std::size_t count, float tau);

// The negatives of one sample, as rows of a table.
struct SampledRows {
  const float* table;
  std::size_t stride;
  const Row* ids;
  std::size_t count;
  std::size_t more;    // ids that follow in memory and come next: fetched early
  const float* scale;  // by row of the table
};

// A softmax whose sum is not known yet, in one pass over the rows: with s the product of `query`
// and a row times the row's scale, out[k] = e = exp((s - 1) / tau) as above, and `sum` = the sum of
// e * scale * row; returns the sum of e.
float gather_exponentials(const float* query, const SampledRows& rows, float tau, float* out,
                          float* sum);

}  // namespace evenkeel::kernels
