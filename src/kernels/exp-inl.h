// Powers of two for softmax kernels; included by each for every instruction set. In: exponents
// that the caller knows to be small; out: powers, with fewer instructions than a general exp.
#if defined(EVENKEEL_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef EVENKEEL_EXP_INL
#undef EVENKEEL_EXP_INL
#else
#define EVENKEEL_EXP_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 2^y for y up to 127; exactly 0 below -126.5, for -infinity too. y = n + f, |f| <= 1/2, and
// 2^f - 1 = f q(f) with q from six Chebyshev points: 5e-9 from the truth before rounding.
template <typename D, typename V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V y) {
  const hn::RebindToSigned<D> integers;
  y = hn::Max(y, hn::Set(d, -127.0F));
  const V whole = hn::Round(y);
  const V f = hn::Sub(y, whole);
  V q = hn::Set(d, 1.5453163e-4F);
  q = hn::MulAdd(q, f, hn::Set(d, 1.3390863e-3F));
  q = hn::MulAdd(q, f, hn::Set(d, 9.6180826e-3F));
  q = hn::MulAdd(q, f, hn::Set(d, 5.5503571e-2F));
  q = hn::MulAdd(q, f, hn::Set(d, 0.24022651F));
  q = hn::MulAdd(q, f, hn::Set(d, 0.69314719F));
  const auto exponent = hn::Add(hn::ConvertTo(integers, whole), hn::Set(integers, 127));
  const V scale = hn::BitCast(d, hn::ShiftLeft<23>(exponent));
  return hn::Mul(hn::MulAdd(q, f, hn::Set(d, 1.0F)), scale);
}

constexpr float kLog2E = 1.44269504F;

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
