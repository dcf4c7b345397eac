// What the kernel tests compare with: random tables and plain loops in double.
#pragma once

#include "base/matrix.h"
#include "base/rng.h"

namespace evenkeel::testing {

inline Matrix random_matrix(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix matrix(rows, dim);
  const Random random(seed, Purpose::kMarket);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < dim; ++c) {
      matrix.row(r)[c] = static_cast<float>(
          random.uniform(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c)) - 0.5);
    }
  }
  return matrix;
}

inline double plain_dot(const float* a, const float* b, std::size_t dim) {
  double sum = 0;
  for (std::size_t c = 0; c < dim; ++c) sum += double{a[c]} * double{b[c]};
  return sum;
}

}  // namespace evenkeel::testing
