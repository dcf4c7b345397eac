// In: a table, row numbers, weights. Out: dots, sums, norms. Every loop runs over 16-float pieces,
// the padding unit, so there are no tails.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include "kernels/rows-inl.h"
// clang-format on

#include "kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

void gather_dots(const float* query, const float* table, std::size_t stride, const Row* ids,
                 std::size_t count, const float* scale, float* out, std::size_t more) {
  const D d;
  const auto row = [&](std::size_t k) { return table + ids[k] * stride; };
  const auto fetch = [&](std::size_t k) {
    if (k < count + more) prefetch_row(row(k), stride);
  };
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    const V products = sums_of(d, k, [&](std::size_t at) HWY_ATTR {
      fetch(at + kAhead);
      return row_product(d, query, row(at), stride);
    });
    hn::StoreU(products, d, out + k);
  }
  for (; k < count; ++k) {
    fetch(k + kAhead);
    out[k] = sum_of(d, row_product(d, query, row(k), stride));
  }
  if (scale == nullptr) return;
  for (k = 0; k < count; ++k) out[k] *= scale[ids[k]];
}

void gather_sum(const float* table, std::size_t stride, const Row* ids, const float* weights,
                std::size_t count, const float* scale, float* sum, std::size_t more) {
  const auto weight_of = [=](std::size_t k) {
    const float own = weights == nullptr ? 1.0F : weights[k];
    return scale == nullptr ? own : own * scale[ids[k]];
  };
  sum_columns(table, stride, ids, count, more, weight_of, sum);
}

void row_sum(const RowSums& sums, std::size_t k, std::size_t stride, float* sum) {
  form_sum(sums, k, stride, sum);
}

void inverse_norms(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                   float* inverse) {
  const D d;
  for (std::size_t k = 0; k < count; ++k) {
    const float* row = table + ids[k] * stride;
    inverse[ids[k]] = inverse_root(sum_of(d, row_product(d, row, row, stride)));
  }
}

void add_scaled(const float* from, std::size_t stride, float scale, float* to) {
  const D d;
  const V factor = hn::Set(d, scale);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    hn::Store(hn::MulAdd(factor, hn::Load(d, from + c), hn::Load(d, to + c)), d, to + c);
  }
}

void scale_row(const float* from, std::size_t stride, float scale, float* to) {
  scale_values(D(), from, stride, scale, to);
}

void gather_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                 const float* scale, float* out) {
  const D d;
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count) prefetch_row(table + ids[k + kAhead] * stride, stride);
    const float* row = table + ids[k] * stride;
    scale_values(d, row, stride, scale == nullptr ? 1.0F : scale[ids[k]], out + k * stride);
  }
}

void scatter_rows(const float* rows, std::size_t stride, const Row* ids, std::size_t count,
                  float* table) {
  const D d;
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count) prefetch_row(table + ids[k + kAhead] * stride, stride);
    scale_values(d, rows + k * stride, stride, 1.0F, table + ids[k] * stride);
  }
}

void project_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                  const float* inverse_norms, float scale, float* gradients) {
  const D d;
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count) prefetch_row(table + ids[k + kAhead] * stride, stride);
    const float* row = table + ids[k] * stride;
    float* gradient = gradients + k * stride;
    const float along = sum_of(d, row_product(d, row, gradient, stride));
    const Projection project(d, inverse_norms[ids[k]], scale, along);
    for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
      hn::Store(project(hn::Load(d, gradient + c), hn::Load(d, row + c)), d, gradient + c);
    }
  }
}

float dot(const float* a, const float* b, std::size_t stride) {
  const D d;
  return sum_of(d, row_product(d, a, b, stride));
}

const char* simd_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {

HWY_EXPORT(gather_dots);
HWY_EXPORT(gather_sum);
HWY_EXPORT(row_sum);
HWY_EXPORT(inverse_norms);
HWY_EXPORT(add_scaled);
HWY_EXPORT(scale_row);
HWY_EXPORT(gather_rows);
HWY_EXPORT(scatter_rows);
HWY_EXPORT(project_rows);
HWY_EXPORT(dot);
HWY_EXPORT(simd_name);

void gather_dots(const float* query, const float* table, std::size_t stride, const Row* ids,
                 std::size_t count, const float* scale, float* out, std::size_t more) {
  HWY_DYNAMIC_DISPATCH(gather_dots)(query, table, stride, ids, count, scale, out, more);
}
void gather_sum(const float* table, std::size_t stride, const Row* ids, const float* weights,
                std::size_t count, const float* scale, float* sum, std::size_t more) {
  HWY_DYNAMIC_DISPATCH(gather_sum)(table, stride, ids, weights, count, scale, sum, more);
}
void row_sum(const RowSums& sums, std::size_t k, std::size_t stride, float* sum) {
  HWY_DYNAMIC_DISPATCH(row_sum)(sums, k, stride, sum);
}
void inverse_norms(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                   float* inverse) {
  HWY_DYNAMIC_DISPATCH(inverse_norms)(table, stride, ids, count, inverse);
}
void add_scaled(const float* from, std::size_t stride, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(from, stride, scale, to);
}
void scale_row(const float* from, std::size_t stride, float scale, float* to) {
  HWY_DYNAMIC_DISPATCH(scale_row)(from, stride, scale, to);
}
void gather_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                 const float* scale, float* out) {
  HWY_DYNAMIC_DISPATCH(gather_rows)(table, stride, ids, count, scale, out);
}
void scatter_rows(const float* rows, std::size_t stride, const Row* ids, std::size_t count,
                  float* table) {
  HWY_DYNAMIC_DISPATCH(scatter_rows)(rows, stride, ids, count, table);
}
void project_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                  const float* inverse_norms, float scale, float* gradients) {
  HWY_DYNAMIC_DISPATCH(project_rows)(table, stride, ids, count, inverse_norms, scale, gradients);
}
float dot(const float* a, const float* b, std::size_t stride) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, stride);
}
const char* simd_name() {
  return HWY_DYNAMIC_DISPATCH(simd_name)();
}

}  // namespace evenkeel::kernels
#endif
