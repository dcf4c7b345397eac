// In: rows and moments. Out: the same, one or many steps later.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// clang-format on

#include <cmath>

#include "kernels/adam.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

HWY_INLINE V moved(D d, const AdamStep& step, V epsilon, V row, V m, V v) {
  const V bottom = hn::MulAdd(hn::Sqrt(v), hn::Set(d, step.correction), epsilon);
  return hn::Sub(row, hn::Div(hn::Mul(hn::Set(d, step.rate), m), bottom));
}

void adam_row(const AdamRates& rates, const AdamStep& step, const float* gradient, float decay,
              std::size_t stride, float* row, float* m, float* v) {
  const D d;
  const V beta1 = hn::Set(d, rates.beta1), beta2 = hn::Set(d, rates.beta2);
  const V rest1 = hn::Set(d, 1.0F - rates.beta1), rest2 = hn::Set(d, 1.0F - rates.beta2);
  const V epsilon = hn::Set(d, rates.epsilon);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    const V old = hn::Load(d, row + c);
    const V g = hn::MulAdd(hn::Set(d, decay), old, hn::Load(d, gradient + c));
    const V new_m = hn::MulAdd(rest1, g, hn::Mul(beta1, hn::Load(d, m + c)));
    const V new_v = hn::MulAdd(hn::Mul(rest2, g), g, hn::Mul(beta2, hn::Load(d, v + c)));
    hn::Store(new_m, d, m + c);
    hn::Store(new_v, d, v + c);
    hn::Store(moved(d, step, epsilon, old, new_m, new_v), d, row + c);
  }
}

void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 std::size_t stride, float* row, float* m, float* v) {
  const D d;
  const V beta1 = hn::Set(d, rates.beta1), beta2 = hn::Set(d, rates.beta2);
  const V epsilon = hn::Set(d, rates.epsilon);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    V r = hn::Load(d, row + c), first = hn::Load(d, m + c), second = hn::Load(d, v + c);
    for (std::size_t k = 0; k < count; ++k) {
      first = hn::Mul(beta1, first);
      second = hn::Mul(beta2, second);
      r = moved(d, steps[k], epsilon, r, first, second);
    }
    hn::Store(r, d, row + c);
    hn::Store(first, d, m + c);
    hn::Store(second, d, v + c);
  }
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(adam_row);
HWY_EXPORT(adam_replay);
void adam_row(const AdamRates& rates, const AdamStep& step, const float* gradient, float decay,
              std::size_t stride, float* row, float* m, float* v) {
  HWY_DYNAMIC_DISPATCH(adam_row)(rates, step, gradient, decay, stride, row, m, v);
}
void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 std::size_t stride, float* row, float* m, float* v) {
  HWY_DYNAMIC_DISPATCH(adam_replay)(rates, steps, count, stride, row, m, v);
}
}  // namespace evenkeel::kernels
#endif
