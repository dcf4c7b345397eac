// The row of a pairwise softmax. In: similarities of one positive and its negatives; out: the loss
// and its derivative with respect to each.
#pragma once

#include <cstddef>

namespace evenkeel::kernels {

// a(x): relu(x + 1), atan(x) + 1, tanh(x) + 1. All have the value and slope of e^x at 0.
enum class Surrogate { kRelu, kAtan, kTanh };

// Where a(x) is smaller it counts as this, without gradient: no logarithm of 0.
constexpr float kLeastSurrogate = 1e-6F;

struct SurrogateRow {
  float loss = 0;
  float d_positive = 0;
};

// loss = log sum_k a((negatives[k] - positive) / 2)^(2 / tau). Half a difference of cosines stays
// within [-1, 1], where every a is positive. d_negatives may be the same array as negatives; what
// is -infinity takes no part, and if all are, everything is 0.
SurrogateRow surrogate_row(Surrogate kind, float positive, const float* negatives,
                           std::size_t count, float tau, float* d_negatives);

}  // namespace evenkeel::kernels
