// Row kernels: dot products, weighted sums and norms over table rows that are named by number.
// In: padded rows (base/matrix.h); out: plain floats. SIMD width is chosen at run time.
#pragma once

#include <cstddef>

#include "base/row_consumer.h"
#include "base/types.h"

namespace evenkeel::kernels {

// out[k] = dot(query, row(ids[k])) * scale[ids[k]]; scale may be null (all ones). `more` ids follow
// the `count` in memory and come next: their rows are fetched early.
void gather_dots(const float* query, const float* table, std::size_t stride, const Row* ids,
                 std::size_t count, const float* scale, float* out, std::size_t more = 0);

// sum = sum_k weights[k] * scale[ids[k]] * row(ids[k]); weights and scale may be null (all ones);
// `more` as above.
void gather_sum(const float* table, std::size_t stride, const Row* ids, const float* weights,
                std::size_t count, const float* scale, float* sum, std::size_t more = 0);

// The sum of the k-th of some rows over its entries, before any projection.
void row_sum(const RowSums& sums, std::size_t k, std::size_t stride, float* sum);

// inverse[ids[k]] = 1 / |row(ids[k])|, and 0 for a row of (nearly) zeros.
void inverse_norms(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                   float* inverse);

// out row k = row(ids[k]) * scale[ids[k]]; scale may be null (all ones).
void gather_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                 const float* scale, float* out);

// row(ids[k]) = row k of `rows`: the way back.
void scatter_rows(const float* rows, std::size_t stride, const Row* ids, std::size_t count,
                  float* table);

// to += scale * from
void add_scaled(const float* from, std::size_t stride, float scale, float* to);

// to = scale * from
void scale_row(const float* from, std::size_t stride, float scale, float* to);

// The derivative through v -> v / |v| for a list of rows: gradient k = scale * (g - (unit . g)
// unit) / |v|, in place, with unit = row(ids[k]) * inverse_norms[ids[k]].
void project_rows(const float* table, std::size_t stride, const Row* ids, std::size_t count,
                  const float* inverse_norms, float scale, float* gradients);

// Plain dot product of two padded rows.
float dot(const float* a, const float* b, std::size_t stride);

// The instruction set in use ("AVX2", "AVX3", ...), for reports.
const char* simd_name();

}  // namespace evenkeel::kernels
