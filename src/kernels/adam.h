// Adam on rows. In: a row, its moments and its gradient; out: the row after the step, or after the
// steps without gradient that it has missed.
#pragma once

#include <cstddef>

namespace evenkeel::kernels {

struct AdamRates {
  float beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F;
};

// What depends on the step number t only: lr / (1 - beta1^t) and 1 / sqrt(1 - beta2^t).
struct AdamStep {
  float rate = 0;
  float correction = 0;
};

// row -= rate * m / (sqrt(v) * correction + epsilon) after the moments took in the gradient, which
// gains decay * row (L2).
void adam_row(const AdamRates& rates, const AdamStep& step, const float* gradient, float decay,
              std::size_t stride, float* row, float* m, float* v);

// The same with a zero gradient for each of `count` steps in turn: bit-identical to having made
// them one by one.
void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 std::size_t stride, float* row, float* m, float* v);

}  // namespace evenkeel::kernels
