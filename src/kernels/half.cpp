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

using D32 = hn::RebindToUnsigned<D>;
using D16 = hn::Rebind<Half, D>;

// How far ahead a row is fetched: rows are random, two lines each at d = 64.
constexpr std::size_t kAhead = 16;

HWY_INLINE V widen(D d, const Half* from) {
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(D32(), hn::Load(D16(), from))));
}

void narrow_row(const float* row, std::size_t stride, float scale, Half* half) {
  const D d;
  const D32 bits;
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    const auto whole = hn::BitCast(bits, hn::Mul(factor, hn::Load(d, row + c)));
    const auto odd = hn::And(hn::ShiftRight<16>(whole), hn::Set(bits, 1));
    const auto rounded = hn::Add(whole, hn::Add(odd, hn::Set(bits, 0x7FFF)));
    hn::Store(hn::TruncateTo(D16(), hn::ShiftRight<16>(rounded)), D16(), half + c);
  }
}

void add_half_row(const Half* half, std::size_t stride, float scale, float* to) {
  const D d;
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    hn::Store(hn::MulAdd(factor, widen(d, half + c), hn::Load(d, to + c)), d, to + c);
  }
}

// As many 16-value pieces of the sum as given stay in registers.
template <std::size_t kPieces>
HWY_INLINE void sum_pieces(const Half* table, std::size_t stride, std::size_t column,
                           const Row* ids, std::size_t count, std::size_t more, float* sum) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMost = kPieces * 16 / hn::MaxLanes(D());
  V total[kMost];
  for (std::size_t i = 0; i < kMost; ++i) total[i] = hn::Zero(d);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count + more) prefetch_row(table + ids[k + kAhead] * stride, stride);
    const Half* row = table + ids[k] * stride + column;
    for (std::size_t i = 0; i < kMost; ++i) {
      total[i] = hn::Add(total[i], widen(d, row + i * lanes));
    }
  }
  for (std::size_t i = 0; i < kMost; ++i) hn::Store(total[i], d, sum + column + i * lanes);
}

void sum_half_rows(const Half* table, std::size_t stride, const Row* ids, std::size_t count,
                   std::size_t more, float* sum) {
  std::size_t column = 0;
  for (; column + 64 <= stride; column += 64) {
    sum_pieces<4>(table, stride, column, ids, count, more, sum);
  }
  for (; column < stride; column += 16) {
    sum_pieces<1>(table, stride, column, ids, count, more, sum);
  }
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
