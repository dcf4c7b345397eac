// In: rows of floats or halves. Out: halves, float sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include "kernels/rows-inl.h"
// clang-format on

#include "kernels/half.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

void narrow_row(const float* row, std::size_t stride, float scale, Half* half) {
  const D d;
  const hn::RebindToUnsigned<D> bits;
  const hn::Rebind<Half, D> halves;
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    const auto whole = hn::BitCast(bits, hn::Mul(factor, hn::Load(d, row + c)));
    const auto odd = hn::And(hn::ShiftRight<16>(whole), hn::Set(bits, 1));
    const auto rounded = hn::Add(whole, hn::Add(odd, hn::Set(bits, 0x7FFF)));
    hn::Store(hn::TruncateTo(halves, hn::ShiftRight<16>(rounded)), halves, half + c);
  }
}

void add_half_row(const Half* half, std::size_t stride, float scale, float* to) {
  const D d;
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    hn::Store(hn::MulAdd(factor, load(d, half + c), hn::Load(d, to + c)), d, to + c);
  }
}

void sum_half_rows(const Half* table, std::size_t stride, const Row* ids, std::size_t count,
                   std::size_t more, float* sum) {
  sum_columns(
      table, stride, ids, count, more, [](std::size_t) { return 1.0F; }, sum);
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {

HWY_EXPORT(narrow_row);
HWY_EXPORT(add_half_row);
HWY_EXPORT(sum_half_rows);

void narrow_row(const float* row, std::size_t stride, float scale, Half* half) {
  HWY_DYNAMIC_DISPATCH(narrow_row)(row, stride, scale, half);
}
void add_half_row(const Half* half, std::size_t stride, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(add_half_row)(half, stride, scale, to);
}
void sum_half_rows(const Half* table, std::size_t stride, const Row* ids, std::size_t count,
                   std::size_t more, float* sum) {
  HWY_DYNAMIC_DISPATCH(sum_half_rows)(table, stride, ids, count, more, sum);
}

}  // namespace evenkeel::kernels
#endif
