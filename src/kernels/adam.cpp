// In: rows and moments. Out: the same, one or many steps later.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include "kernels/rows-inl.h"
// clang-format on

#include "kernels/adam.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

// Rows are random, and each has lines in three tables.
constexpr std::size_t kTablesAhead = 3;
// The same while a row is also summed.
constexpr std::size_t kSumsAhead = 4;

template <int kNear = 3, typename Stride>
HWY_INLINE void prefetch(const AdamTables& tables, Row id, Stride stride) {
  const std::size_t at = id * stride;
  prefetch_row<kNear>(tables.rows + at, stride);
  prefetch_row<kNear>(tables.m + at, stride);
  prefetch_row<kNear>(tables.v + at, stride);
}

HWY_INLINE V moved(D d, const AdamStep& step, V epsilon, V row, V m, V v) {
  const V bottom = hn::MulAdd(hn::Sqrt(v), hn::Set(d, step.correction), epsilon);
  return hn::Sub(row, hn::Div(hn::Mul(hn::Set(d, step.rate), m), bottom));
}

// One row's step with the gradient that gradient_at(c, old values) gives for columns from c on;
// returns the squares of the moved row, to be summed. `past_caches` is as in RowSums.
template <typename Stride, typename Gradient>
HWY_INLINE V step_row(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
                      Row id, Stride stride, bool past_caches, Gradient gradient_at) {
  const D d;
  const V beta1 = hn::Set(d, rates.beta1), beta2 = hn::Set(d, rates.beta2);
  const V rest1 = hn::Set(d, 1.0F - rates.beta1), rest2 = hn::Set(d, 1.0F - rates.beta2);
  const V epsilon = hn::Set(d, rates.epsilon);
  const std::size_t at = id * stride;
  float *row = tables.rows + at, *m = tables.m + at, *v = tables.v + at;
  const auto step_at = [&](std::size_t c, V squares) HWY_ATTR {
    const V old = hn::Load(d, row + c);
    const V g = gradient_at(c, old);
    const V new_m = hn::MulAdd(rest1, g, hn::Mul(beta1, hn::Load(d, m + c)));
    const V new_v = hn::MulAdd(hn::Mul(rest2, g), g, hn::Mul(beta2, hn::Load(d, v + c)));
    hn::Store(new_m, d, m + c);
    hn::Store(new_v, d, v + c);
    const V now = moved(d, step, epsilon, old, new_m, new_v);
    past_caches ? hn::Stream(now, d, row + c) : hn::Store(now, d, row + c);
    return hn::MulAdd(now, now, squares);
  };
  const std::size_t lanes = hn::Lanes(d);
  V even = hn::Zero(d), odd = hn::Zero(d);  // as row_product() sums
  std::size_t c = 0;
  for (; c + 2 * lanes <= stride; c += 2 * lanes) {
    even = step_at(c, even);
    odd = step_at(c + lanes, odd);
  }
  for (; c < stride; c += lanes) even = step_at(c, even);
  return hn::Add(even, odd);
}

void adam_rows(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const Row* ids, std::size_t count, const float* gradients, const float* decay) {
  const D d;
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for (std::size_t k = 0; k < count; ++k) {
      if (k + kTablesAhead < count) prefetch(tables, ids[k + kTablesAhead], stride);
      const float* gradient = gradients + k * stride;
      const V shrink = hn::Set(d, decay[k]);
      step_row(rates, step, tables, ids[k], stride, false, [&](std::size_t c, V old) HWY_ATTR {
        return hn::MulAdd(shrink, old, hn::Load(d, gradient + c));
      });
    }
  });
}

void adam_sums(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const RowSums& sums) {
  const D d;
  const std::size_t rows = sums.rows.size();
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for (std::size_t k = 0; k < rows; ++k) {
      const std::size_t ahead = k + kSumsAhead;
      if (ahead < rows) {
        prefetch(tables, sums.rows[ahead], stride);
      } else if (ahead - rows < sums.prefetch.next.size()) {
        prefetch(tables, sums.prefetch.next[ahead - rows], stride);
      }
      if (k < sums.prefetch.later.size()) prefetch<2>(tables, sums.prefetch.later[k], stride);
      const Row id = sums.rows[k];
      const bool cosine = sums.normalisation.inverse_norms != nullptr;
      const float* gradient = sums.scratch_row;
      form_sum(sums, k, stride, sums.scratch_row);
      const V product = row_product(d, tables.rows + id * stride, gradient, stride);
      const Projection project = cosine ? Projection(d, sums.normalisation.inverse_norms[id],
                                                     sums.normalisation.scale, sum_of(d, product))
                                        : Projection(d, 1.0F, sums.normalisation.scale, 0.0F);
      const V shrink =
          hn::Set(d, sums.decay.per_entry * static_cast<float>(counted_entries(sums, k)));
      const V squares = step_row(
          rates, step, tables, id, stride, sums.past_caches, [&](std::size_t c, V old) HWY_ATTR {
            return hn::MulAdd(shrink, old, project(hn::Load(d, gradient + c), old));
          });
      if (sums.normalisation.new_norms != nullptr)
        sums.normalisation.new_norms[id] = inverse_root(sum_of(d, squares));
    }
  });
  if (sums.past_caches) hwy::FlushStream();
}

void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 const AdamTables& tables, Row id) {
  const D d;
  const V beta1 = hn::Set(d, rates.beta1), beta2 = hn::Set(d, rates.beta2);
  const V epsilon = hn::Set(d, rates.epsilon);
  const std::size_t at = id * tables.stride;
  float *row = tables.rows + at, *m = tables.m + at, *v = tables.v + at;
  for (std::size_t c = 0; c < tables.stride; c += hn::Lanes(d)) {
    V r = hn::Load(d, row + c), first = hn::Load(d, m + c), second = hn::Load(d, v + c);
    for (std::size_t k = 0; k < count; ++k) {
      first = hn::Mul(beta1, first);
      second = hn::Mul(beta2, second);
      r = moved(d, steps[k], epsilon, r, first, second);
    }
    hn::Store(r, d, row + c);
    hn::Store(first, d, m + c);
    hn::Store(second, d, v + c);
  }
}

void adam_skip(const AdamRates& rates, const AdamSkip& fade, const AdamTables& tables, Row id,
               Row ahead) {
  const D d;
  const V one = hn::Set(d, 1.0F), epsilon = hn::Set(d, rates.epsilon);
  const V weight = hn::Set(d, fade.weight), mean = hn::Set(d, fade.mean);
  const V second = hn::Set(d, fade.second), third = hn::Set(d, fade.third);
  const V keep1 = hn::Set(d, fade.keep1), keep2 = hn::Set(d, fade.keep2);
  const V tiny = hn::Set(d, 1e-30F);  // denormals would cost a hundred cycles each
  const std::size_t at = id * tables.stride;
  float *row = tables.rows + at, *m = tables.m + at, *v = tables.v + at;
  const std::size_t next = ahead * tables.stride;
  for (std::size_t c = 0; c < tables.stride; c += hn::Lanes(d)) {
    // Line by line: a burst of twelve would hold up the work. Into L2: into L1 took a third longer.
    if (c % kRowFloats == 0) {
      __builtin_prefetch(tables.rows + next + c, 0, 2);
      __builtin_prefetch(tables.m + next + c, 0, 2);
      __builtin_prefetch(tables.v + next + c, 0, 2);
    }
    const V old_m = hn::Load(d, m + c), old_v = hn::Load(d, v + c), root = hn::Sqrt(old_v);
    const V inverse = hn::Div(one, hn::MulAdd(root, mean, epsilon));
    const V ratio = hn::Mul(root, inverse);  // r: f(x) = f(mean) (1 + r^2 second - r^3 third)
    const V bend = hn::Mul(hn::Mul(ratio, ratio), hn::NegMulAdd(ratio, third, second));
    const V pull = hn::Mul(hn::Mul(weight, old_m), hn::MulAdd(bend, inverse, inverse));
    hn::Store(hn::Sub(hn::Load(d, row + c), pull), d, row + c);
    const V new_m = hn::Mul(keep1, old_m), new_v = hn::Mul(keep2, old_v);
    hn::Store(hn::IfThenElseZero(hn::Ge(hn::Abs(new_m), tiny), new_m), d, m + c);
    hn::Store(hn::IfThenElseZero(hn::Ge(new_v, tiny), new_v), d, v + c);
  }
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(adam_rows);
HWY_EXPORT(adam_sums);
HWY_EXPORT(adam_replay);
HWY_EXPORT(adam_skip);
void adam_rows(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const Row* ids, std::size_t count, const float* gradients, const float* decay) {
  HWY_DYNAMIC_DISPATCH(adam_rows)(rates, step, tables, ids, count, gradients, decay);
}
void adam_sums(const AdamRates& rates, const AdamStep& step, const AdamTables& tables,
               const RowSums& sums) {
  HWY_DYNAMIC_DISPATCH(adam_sums)(rates, step, tables, sums);
}
void adam_replay(const AdamRates& rates, const AdamStep* steps, std::size_t count,
                 const AdamTables& tables, Row row) {
  HWY_DYNAMIC_DISPATCH(adam_replay)(rates, steps, count, tables, row);
}
void adam_skip(const AdamRates& rates, const AdamSkip& fade, const AdamTables& tables, Row row,
               Row ahead) {
  HWY_DYNAMIC_DISPATCH(adam_skip)(rates, fade, tables, row, ahead);
}
}  // namespace evenkeel::kernels
#endif
