// In: one row of similarities. Out: its loss and derivatives, in log-sum-exp form: the largest
// logit is taken out first, so that no tau >= 0.01 overflows or loses the sum.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "kernels/exp-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/values-inl.h"
// clang-format on

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/softmax.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

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

// Rows between whose products and sums the exponentials are formed: few enough to stay in L1, and
// enough that neither vectors nor the time until the first exponential are wasted.
constexpr std::size_t kBlock = 16;

// sum += sum_k weights[k] * row ids[k], 64 columns at a time in registers.
template <std::size_t kPieces>
HWY_INLINE void add_columns(const float* table, std::size_t stride, std::size_t column,
                            const Row* ids, const float* weights, float* sum) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMost = kPieces * 16 / hn::MaxLanes(D());
  V total[kMost];
  for (std::size_t i = 0; i < kMost; ++i) total[i] = hn::Load(d, sum + column + i * lanes);
  for (std::size_t k = 0; k < kBlock; ++k) {
    const float* row = table + ids[k] * stride + column;
    const V weight = hn::Set(d, weights[k]);
    for (std::size_t i = 0; i < kMost; ++i) {
      total[i] = hn::MulAdd(weight, hn::Load(d, row + i * lanes), total[i]);
    }
  }
  for (std::size_t i = 0; i < kMost; ++i) hn::Store(total[i], d, sum + column + i * lanes);
}

template <typename Stride>
HWY_INLINE void add_block(const float* table, Stride stride, const Row* ids, const float* weights,
                          float* sum) {
  std::size_t column = 0;
  for (; column + 64 <= stride; column += 64) {
    add_columns<4>(table, stride, column, ids, weights, sum);
  }
  for (; column < stride; column += 16) {
    add_columns<1>(table, stride, column, ids, weights, sum);
  }
}

float gather_exponentials(const float* query, const SampledRows& rows, float tau, float* out,
                          float* sum) {
  const D d;
  const hn::RebindToSigned<D> integers;
  const V one = hn::Set(d, 1.0F), inverse_tau = hn::Set(d, kLog2E / tau);
  V total = hn::Zero(d);
  with_stride(rows.stride, [&](auto stride) HWY_ATTR {
    std::fill(sum, sum + stride, 0.0F);
    HWY_ALIGN Row last[kBlock];
    HWY_ALIGN float weights[kBlock];
    for (std::size_t first = 0; first < rows.count; first += kBlock) {
      const std::size_t real = std::min(kBlock, rows.count - first);
      const Row* ids = rows.ids + first;
      const std::size_t left = rows.count + rows.more - first, here = std::min(kBlock, left);
      const std::span<const Row> ahead{ids + here, left - here};
      if (real < kBlock) {  // filled up with a row that is at hand; it will weigh nothing
        for (std::size_t k = 0; k < kBlock; ++k) last[k] = ids[std::min(k, real - 1)];
        ids = last;
      }
      for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
        const V products = sums_of(d, k, [&](std::size_t at) HWY_ATTR {
          const std::size_t later = at + 2 * kBlock;
          if (later < ahead.size()) prefetch_row<2>(rows.table + ahead[later] * stride, stride);
          if (at < ahead.size()) prefetch_row(rows.table + ahead[at] * stride, stride);
          return row_product(d, query, rows.table + ids[at] * stride, stride);
        });
        const auto index = hn::LoadU(integers, reinterpret_cast<const std::int32_t*>(ids) + k);
        const V scale = hn::GatherIndex(d, rows.scale, index);
        const V s = hn::Mul(products, scale);
        V e = power_of_two(d, hn::Mul(hn::Sub(s, one), inverse_tau));
        if (real < kBlock) {
          const V place = hn::Iota(d, static_cast<float>(k));
          e = hn::IfThenElseZero(hn::Lt(place, hn::Set(d, static_cast<float>(real))), e);
        }
        total = hn::Add(total, e);
        hn::Store(hn::Mul(e, scale), d, weights + k);
        if (k < real) store_real(d, e, std::min(real - k, hn::Lanes(d)), out + first + k);
      }
      add_block(rows.table, stride, ids, weights, sum);
    }
  });
  return sum_of(d, total);
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(softmax_row);
HWY_EXPORT(exponentials);
HWY_EXPORT(gather_exponentials);
SoftmaxRow softmax_row(float positive, const float* negatives, std::size_t count, float tau,
                       float* d_negatives) {
  return HWY_DYNAMIC_DISPATCH(softmax_row)(positive, negatives, count, tau, d_negatives);
}
float exponentials(float* values, std::size_t count, float tau) {
  return HWY_DYNAMIC_DISPATCH(exponentials)(values, count, tau);
}
float gather_exponentials(const float* query, const SampledRows& rows, float tau, float* out,
                          float* sum) {
  return HWY_DYNAMIC_DISPATCH(gather_exponentials)(query, rows, tau, out, sum);
}
}  // namespace evenkeel::kernels
#endif
