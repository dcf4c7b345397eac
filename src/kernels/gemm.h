// A small matrix product for tiles that fit the cache. In: A read element by element at any
// strides, B in panels of 16 columns; out: C. One kernel serves the three products of a softmax
// tile.
#pragma once

#include <cstddef>

namespace evenkeel::kernels {

inline constexpr std::size_t kPanel = 16;  // columns; the padding unit of a row

// C(i, j) = sum_k A(i, k) * B(k, j), or C += with `accumulate`. All strides count floats:
// A(i, k) = a[i * a_row + k * a_depth], B(k, j) = b[j / 16 * b_panel + k * b_depth + j % 16],
// C(i, j) = c[i * c_row + j]. Panels of B and rows of C start on 16-float boundaries.
struct Gemm {
  std::size_t rows = 0, panels = 0, depth = 0;
  const float* a = nullptr;
  std::size_t a_row = 0, a_depth = 0;
  const float* b = nullptr;
  std::size_t b_panel = 0, b_depth = 0;
  float* c = nullptr;
  std::size_t c_row = 0;
  bool accumulate = false;
};
void gemm(const Gemm& product);

// Transposes rows (padded, `stride` floats) into panels [row / 16][column][row % 16]; the last
// panel is filled up with zeros.
void pack_panels(const float* rows, std::size_t count, std::size_t stride, float* panels);

}  // namespace evenkeel::kernels
