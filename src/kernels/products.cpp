// In: floats. Out: products, at the SIMD width of this machine.
#include "kernels/products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two sums, so that a step need not wait for the one before it.
float dot_anywhere(const float* a, const float* b, std::size_t count) {
  const hn::CappedTag<float, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = even;
  for (std::size_t i = 0; i < count; i += 2 * lanes) {
    even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
    odd = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), odd);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

}  // namespace HWY_NAMESPACE
}  // namespace evenkeel::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {

HWY_EXPORT(dot_anywhere);

float dot_anywhere(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot_anywhere)(a, b, count);
}

}  // namespace evenkeel::kernels
#endif  // HWY_ONCE
