// Row products common to several kernel files; included by each for every instruction set.
// In: padded rows. Out: vectors and sums.
#if defined(EVENKEEL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef EVENKEEL_ROWS_INL
#undef EVENKEEL_ROWS_INL
#else
#define EVENKEEL_ROWS_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <type_traits>

#include "base/matrix.h"
#include "base/row_consumer.h"
#include "kernels/half.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

// Calls body(stride), with a constant for the usual 64 dimensions: the loops over a row unroll.
template <typename Body>
HWY_INLINE void with_stride(std::size_t stride, Body body) {
  if (stride == 64) {
    body(std::integral_constant<std::size_t, 64>());
  } else {
    body(stride);
  }
}

HWY_INLINE V row_product(D d, const float* a, const float* b, std::size_t stride) {
  const std::size_t lanes = hn::Lanes(d);
  const auto at = [&](std::size_t c)
                      HWY_ATTR { return hn::Mul(hn::Load(d, a + c), hn::Load(d, b + c)); };
  V even = at(0);
  if (stride == lanes) return even;
  V odd = at(lanes);
  std::size_t c = 2 * lanes;
  for (; c + 2 * lanes <= stride; c += 2 * lanes) {
    even = hn::MulAdd(hn::Load(d, a + c), hn::Load(d, b + c), even);
    odd = hn::MulAdd(hn::Load(d, a + c + lanes), hn::Load(d, b + c + lanes), odd);
  }
  for (; c < stride; c += lanes) even = hn::MulAdd(hn::Load(d, a + c), hn::Load(d, b + c), even);
  return hn::Add(even, odd);
}

HWY_INLINE float sum_of(D d, V v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

#if HWY_TARGET != HWY_SCALAR
using D4 = hn::FixedTag<float, 4>;

// The 128-bit blocks of a vector, added up.
template <typename DV>
HWY_INLINE hn::Vec<D4> sum_of_blocks(DV, hn::Vec<DV> v) {
  if constexpr (hn::MaxLanes(DV()) == 4) {
    return v;
  } else {
    const hn::Half<DV> half;
    return sum_of_blocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// Four horizontal sums at once: two rounds of interleaving inside 128-bit blocks leave
// [a b c e] of each block.
HWY_INLINE hn::Vec<D4> four_sums(D d, V a, V b, V c, V e) {
  const hn::Repartition<double, D> wide;
  const V ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const V ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  const auto low = hn::InterleaveLower(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce));
  const auto high = hn::InterleaveUpper(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce));
  return sum_of_blocks(d, hn::Add(hn::BitCast(d, low), hn::BitCast(d, high)));
}
#endif

// The sums of one vector's worth of vectors, vector_at(k) for every lane k. They are put together
// in registers: a vector read right after its quarters were written would wait for the stores.
template <typename DV, typename At>
HWY_INLINE hn::Vec<DV> sums_of(DV dv, std::size_t first, At vector_at) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(dv, sum_of(d, vector_at(first)));
#else
  if constexpr (hn::MaxLanes(DV()) == 4) {
    return four_sums(d, vector_at(first), vector_at(first + 1), vector_at(first + 2),
                     vector_at(first + 3));
  } else {
    const hn::Half<DV> half;
    const auto low = sums_of(half, first, vector_at);
    return hn::Combine(dv, sums_of(half, first + hn::MaxLanes(half), vector_at), low);
  }
#endif
}

// How far ahead a row is fetched: rows are random, four lines each at d = 64.
constexpr std::size_t kAhead = 12;

HWY_INLINE V load(D d, const float* from) {
  return hn::Load(d, from);
}
HWY_INLINE V load(D d, const Half* from) {
  const hn::RebindToUnsigned<D> bits;
  const hn::Rebind<Half, D> halves;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(bits, hn::Load(halves, from))));
}

// sum = sum_k weight_of(k) * row(ids[k]); four 16-value pieces (64 dimensions on every target) of
// the sum stay in registers. `more` ids follow the `count` and are summed next.
template <std::size_t kPieces, typename T, typename Weight>
HWY_INLINE void sum_pieces(const T* table, std::size_t stride, std::size_t column, const Row* ids,
                           std::size_t count, std::size_t more, Weight weight_of, float* sum) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMost = kPieces * 16 / hn::MaxLanes(D());
  V total[kMost];
  for (std::size_t i = 0; i < kMost; ++i) total[i] = hn::Zero(d);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count + more) prefetch_row(table + ids[k + kAhead] * stride, stride);
    const T* row = table + ids[k] * stride + column;
    const V weight = hn::Set(d, weight_of(k));
    for (std::size_t i = 0; i < kMost; ++i) {
      total[i] = hn::MulAdd(weight, load(d, row + i * lanes), total[i]);
    }
  }
  for (std::size_t i = 0; i < kMost; ++i) hn::Store(total[i], d, sum + column + i * lanes);
}

template <typename T, typename Weight>
HWY_INLINE void sum_columns(const T* table, std::size_t stride, const Row* ids, std::size_t count,
                            std::size_t more, Weight weight_of, float* sum) {
  std::size_t column = 0;
  for (; column + 64 <= stride; column += 64) {
    sum_pieces<4>(table, stride, column, ids, count, more, weight_of, sum);
  }
  for (; column < stride; column += 16) {
    sum_pieces<1>(table, stride, column, ids, count, more, weight_of, sum);
  }
}

// The k-th row's sum.
HWY_INLINE void form_sum(const RowSums& sums, std::size_t k, std::size_t stride, float* sum) {
  const std::size_t begin = sums.entries.starts[k], end = sums.entries.starts[k + 1];
  const std::size_t more = sums.entries.readable - end;
  const auto add = [&](auto weight_of) HWY_ATTR {
    sum_columns(sums.entries.summands, stride, sums.entries.ids + begin, end - begin, more,
                weight_of, sum);
  };
  if (sums.entries.weights == nullptr) {
    add([](std::size_t) { return 1.0F; });
  } else {
    const float* weights = sums.entries.weights + begin;
    add([=](std::size_t e) { return weights[e]; });
  }
}

HWY_INLINE float inverse_root(float square) {
  return square > 1e-24F ? 1.0F / std::sqrt(square) : 0.0F;
}

// The derivative through v -> v / |v|: scale/|v| * gradient - scale/|v|^3 * (v . gradient) v
struct Projection {
  HWY_INLINE Projection(D d, float inverse_norm, float scale, float along)
      : across(hn::Set(d, scale * inverse_norm)),
        back(hn::Set(d, scale * inverse_norm * inverse_norm * inverse_norm * along)) {}
  HWY_INLINE V operator()(V gradient, V row) const {
    return hn::NegMulAdd(back, row, hn::Mul(across, gradient));
  }
  V across, back;
};

HWY_INLINE void scale_values(D d, const float* from, std::size_t count, float scale, float* to) {
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < count; c += hn::Lanes(d)) {
    hn::Store(hn::Mul(factor, hn::Load(d, from + c)), d, to + c);
  }
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
