// In: one row of similarities. Out: its loss and derivatives, in log-sum-exp form: the largest
// logit is taken out first, so that no tau >= 0.01 overflows or loses the sum.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "kernels/exp-inl.h"
// clang-format on

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/softmax.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

constexpr float kNone = -std::numeric_limits<float>::infinity();

// Calls body(pointer to a whole vector of inputs, index, how many are real) over the row; the last,
// partial vector comes from a copy that is filled up with -infinity.
template <typename Body>
HWY_INLINE void for_vectors(D d, const float* values, std::size_t count, Body body) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) body(hn::LoadU(d, values + k), k, lanes);
  if (k == count) return;
  HWY_ALIGN float last[16];
  std::fill(last, last + 16, kNone);
  std::copy(values + k, values + count, last);
  body(hn::Load(d, last), k, count - k);
}

HWY_INLINE void store_real(D d, V v, std::size_t real, float* to) {
  if (real == hn::Lanes(d)) {
    hn::StoreU(v, d, to);
  } else {
    HWY_ALIGN float last[16];
    hn::Store(v, d, last);
    std::copy(last, last + real, to);
  }
}

SoftmaxRow softmax_row(float positive, const float* negatives, std::size_t count, float tau,
                       float* d_negatives) {
  const D d;
  V top = hn::Set(d, positive);
  for_vectors(d, negatives, count, [&](V s, std::size_t, std::size_t) { top = hn::Max(top, s); });
  const float highest = hn::GetLane(hn::MaxOfLanes(d, top));

  const float inverse_tau = 1.0F / tau;
  const V scale = hn::Set(d, inverse_tau);
  const V shift = hn::Set(d, highest);
  V sum = hn::Zero(d);
  for_vectors(d, negatives, count, [&](V s, std::size_t k, std::size_t real) {
    const V e = hn::Exp(d, hn::Mul(hn::Sub(s, shift), scale));
    sum = hn::Add(sum, e);
    store_real(d, e, real, d_negatives + k);
  });

  const float rest = hn::GetLane(hn::SumOfLanes(d, sum));
  const float logit = (positive - highest) * inverse_tau;
  const float own = std::exp(logit);
  const float total = own + rest;
  const float weight = inverse_tau / total;
  for (std::size_t k = 0; k < count; ++k) d_negatives[k] *= weight;
  const float log_total = std::log(total);
  return {log_total - logit, -rest * weight, log_total + highest * inverse_tau};
}

float exponentials(float* values, std::size_t count, float tau) {
  const D d;
  const V one = hn::Set(d, 1.0F), scale = hn::Set(d, kLog2E / tau);
  V sum = hn::Zero(d);
  for_vectors(d, values, count, [&](V s, std::size_t k, std::size_t real) {
    const V e = power_of_two(d, hn::Mul(hn::Sub(s, one), scale));
    sum = hn::Add(sum, e);
    store_real(d, e, real, values + k);
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(softmax_row);
HWY_EXPORT(exponentials);
SoftmaxRow softmax_row(float positive, const float* negatives, std::size_t count, float tau,
                       float* d_negatives) {
  return HWY_DYNAMIC_DISPATCH(softmax_row)(positive, negatives, count, tau, d_negatives);
}
float exponentials(float* values, std::size_t count, float tau) {
  return HWY_DYNAMIC_DISPATCH(exponentials)(values, count, tau);
}
}  // namespace evenkeel::kernels
#endif
