// A row of values, vector by vector; included by the kernels of losses for every instruction set.
// In: values of any number. Out: whole vectors, and stores of their real part.
#if defined(EVENKEEL_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef EVENKEEL_VALUES_INL
#undef EVENKEEL_VALUES_INL
#else
#define EVENKEEL_VALUES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

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

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
