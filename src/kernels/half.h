// Rows in half the width: bf16, a float without its lower 16 bits. In: float rows; out: half rows,
// and sums of them in float. Read where bytes are what is short.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace evenkeel::kernels {

using Half = std::uint16_t;

// half = scale * row, rounded to the nearest, ties to even.
void narrow_row(const float* row, std::size_t stride, float scale, Half* half);

// to += scale * half
void add_half_row(const Half* half, std::size_t stride, float scale, float* to);

// sum = sum_k row(ids[k]). `more` ids follow the `count` in memory and are summed next: their rows
// are fetched early.
void sum_half_rows(const Half* table, std::size_t stride, const Row* ids, std::size_t count,
                   std::size_t more, float* sum);

}  // namespace evenkeel::kernels
