// The fused softmax row. In: similarities of one positive and its negatives; out: the loss and the
// derivative of the loss with respect to each similarity, or what both are made of.
#pragma once

#include <cstddef>

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

}  // namespace evenkeel::kernels
