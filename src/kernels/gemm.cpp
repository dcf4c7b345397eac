// In: a product. Out: C. The block of C in registers is 16 columns wide and as tall as the register
// file allows: 6 x 2 vectors on AVX2, 14 x 1 on AVX-512, 3 x 4 on 128-bit machines.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// clang-format on

#include "kernels/gemm.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kPanel>;
using V = hn::Vec<D>;
constexpr std::size_t kVectors = kPanel / hn::MaxLanes(D());
constexpr std::size_t kRows = kVectors == 1 ? 14 : kVectors == 2 ? 6 : 3;

template <std::size_t kTall>
HWY_INLINE void block(const Gemm& g, const float* a, const float* b, float* c) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[kTall][kVectors];
  for (std::size_t i = 0; i < kTall; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[i][v] = g.accumulate ? hn::Load(d, c + i * g.c_row + v * lanes) : hn::Zero(d);
    }
  }
  for (std::size_t k = 0; k < g.depth; ++k) {
    V row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::Load(d, b + k * g.b_depth + v * lanes);
    for (std::size_t i = 0; i < kTall; ++i) {
      const V factor = hn::Set(d, a[i * g.a_row + k * g.a_depth]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(factor, row[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < kTall; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::Store(sum[i][v], d, c + i * g.c_row + v * lanes);
    }
  }
}

// The rows that are left below the last whole block, tallest first.
template <std::size_t kTall>
HWY_INLINE void rest(const Gemm& g, std::size_t left, const float* a, const float* b, float* c) {
  if constexpr (kTall > 0) {
    if (left >= kTall) {
      block<kTall>(g, a, b, c);
      left -= kTall;
      a += kTall * g.a_row;
      c += kTall * g.c_row;
    }
    if (left > 0) rest<kTall - 1>(g, left, a, b, c);
  }
}

void gemm(const Gemm& g) {
  for (std::size_t panel = 0; panel < g.panels; ++panel) {
    const float* b = g.b + panel * g.b_panel;
    float* c = g.c + panel * kPanel;
    std::size_t i = 0;
    for (; i + kRows <= g.rows; i += kRows) block<kRows>(g, g.a + i * g.a_row, b, c + i * g.c_row);
    rest<kRows - 1>(g, g.rows - i, g.a + i * g.a_row, b, c + i * g.c_row);
  }
}

// panel[k][j] = row j [k] for four rows.
HWY_INLINE void pack_four(const float* rows, std::size_t stride, float* panel) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < stride; ++k) {
    for (std::size_t j = 0; j < 4; ++j) panel[k * kPanel + j] = rows[j * stride + k];
  }
#else
  const hn::FixedTag<float, 4> d;
  const hn::Repartition<double, decltype(d)> pairs;
  const auto low = [=](auto a, auto b) HWY_ATTR {
    return hn::BitCast(d, hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
  };
  const auto high = [=](auto a, auto b) HWY_ATTR {
    return hn::BitCast(d, hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
  };
  for (std::size_t k = 0; k < stride; k += 4, panel += 4 * kPanel) {
    const auto a = hn::Load(d, rows + k), b = hn::Load(d, rows + stride + k);
    const auto c = hn::Load(d, rows + 2 * stride + k), e = hn::Load(d, rows + 3 * stride + k);
    const auto ab = hn::InterleaveLower(d, a, b), ce = hn::InterleaveLower(d, c, e);
    hn::Store(low(ab, ce), d, panel);
    hn::Store(high(ab, ce), d, panel + kPanel);
    const auto ab2 = hn::InterleaveUpper(d, a, b), ce2 = hn::InterleaveUpper(d, c, e);
    hn::Store(low(ab2, ce2), d, panel + 2 * kPanel);
    hn::Store(high(ab2, ce2), d, panel + 3 * kPanel);
  }
#endif
}

void pack_panels(const float* rows, std::size_t count, std::size_t stride, float* panels) {
  static_assert(kPanel % 4 == 0);
  std::size_t first = 0;
  for (; first + 4 <= count; first += 4) {
    pack_four(rows + first * stride, stride,
              panels + first / kPanel * kPanel * stride + first % kPanel);
  }
  // What is left of the last panel: rows, then zeros.
  for (; first % kPanel != 0 || first < count; ++first) {
    float* panel = panels + first / kPanel * kPanel * stride + first % kPanel;
    for (std::size_t k = 0; k < stride; ++k) {
      panel[k * kPanel] = first < count ? rows[first * stride + k] : 0.0F;
    }
  }
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(gemm);
HWY_EXPORT(pack_panels);
void gemm(const Gemm& product) {
  HWY_DYNAMIC_DISPATCH(gemm)(product);
}
void pack_panels(const float* rows, std::size_t count, std::size_t stride, float* panels) {
  HWY_DYNAMIC_DISPATCH(pack_panels)(rows, count, stride, panels);
}
}  // namespace evenkeel::kernels
#endif
