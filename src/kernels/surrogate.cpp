// In: one row of similarities. Out: its pairwise softmax and derivatives; powers are taken as
// exponentials of logarithms, the largest first taken out, so that no tau >= 0.01 overflows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/surrogate.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "kernels/values-inl.h"
// clang-format on

#include <algorithm>
#include <cmath>

#include "kernels/surrogate.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

// a(x) and a'(x).
struct Relu {
  static HWY_INLINE V value(D d, V x, V& slope) {
    slope = hn::Set(d, 1.0F);
    return hn::Add(x, slope);
  }
};
struct Atan {
  static HWY_INLINE V value(D d, V x, V& slope) {
    const V one = hn::Set(d, 1.0F);
    slope = hn::Div(one, hn::MulAdd(x, x, one));
    return hn::Add(hn::Atan(d, x), one);
  }
};
struct Tanh {
  static HWY_INLINE V value(D d, V x, V& slope) {
    const V a = hn::Add(hn::Tanh(d, x), hn::Set(d, 1.0F));
    slope = hn::Mul(a, hn::Sub(hn::Set(d, 2.0F), a));
    return a;
  }
};

template <typename A>
SurrogateRow row_of(float positive, const float* negatives, std::size_t count, float tau,
                    float* d_negatives) {
  const D d;
  const V none = hn::Set(d, kNone), least = hn::Set(d, kLeastSurrogate), half = hn::Set(d, 0.5F);
  V top = none;
  for_vectors(d, negatives, count, [&](V s, std::size_t, std::size_t) { top = hn::Max(top, s); });
  const float highest = hn::GetLane(hn::MaxOfLanes(d, top));
  if (highest == kNone) {
    std::fill_n(d_negatives, count, 0.0F);
    return {};
  }
  const V own = hn::Set(d, positive), power = hn::Set(d, 2.0F / tau);
  V slope = none;
  const V largest = hn::Max(A::value(d, hn::Set(d, 0.5F * (highest - positive)), slope), least);
  const V log_top = hn::Log(d, largest);
  V sum = hn::Zero(d), slopes = hn::Zero(d);
  for_vectors(d, negatives, count, [&](V s, std::size_t k, std::size_t real) {
    const auto there = hn::Gt(s, none);
    const V x = hn::Mul(hn::Sub(hn::IfThenElse(there, s, own), own), half);
    V rise;
    const V raw = A::value(d, x, rise), a = hn::Max(raw, least);
    V e = hn::Exp(d, hn::Mul(hn::Sub(hn::Log(d, a), log_top), power));
    e = hn::IfThenElseZero(there, e);
    const V g = hn::IfThenElseZero(hn::Ge(raw, least), hn::Div(hn::Mul(e, rise), a));
    sum = hn::Add(sum, e);
    slopes = hn::Add(slopes, g);
    store_real(d, g, real, d_negatives + k);
  });
  const float total = hn::GetLane(hn::SumOfLanes(d, sum));
  const float weight = 1.0F / (total * tau);
  for (std::size_t k = 0; k < count; ++k) d_negatives[k] *= weight;
  return {std::log(total) + 2.0F / tau * hn::GetLane(log_top),
          -weight * hn::GetLane(hn::SumOfLanes(d, slopes))};
}

SurrogateRow surrogate_row(Surrogate kind, float positive, const float* negatives,
                           std::size_t count, float tau, float* d_negatives) {
  switch (kind) {
    case Surrogate::kAtan:
      return row_of<Atan>(positive, negatives, count, tau, d_negatives);
    case Surrogate::kTanh:
      return row_of<Tanh>(positive, negatives, count, tau, d_negatives);
    default:
      return row_of<Relu>(positive, negatives, count, tau, d_negatives);
  }
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(surrogate_row);
SurrogateRow surrogate_row(Surrogate kind, float positive, const float* negatives,
                           std::size_t count, float tau, float* d_negatives) {
  return HWY_DYNAMIC_DISPATCH(surrogate_row)(kind, positive, negatives, count, tau, d_negatives);
}
}  // namespace evenkeel::kernels
#endif
