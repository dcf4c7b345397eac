// In: a size and a seed. Out: a table of numbers between -1 and 1, the same on every machine.
#pragma once

#include <cstdint>

#include "base/matrix.h"
#include "base/rng.h"

namespace evenkeel::testing {

inline Matrix noise(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix table(rows, dim);
  const Random random(seed, Purpose::kMarket);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < dim; ++c) {
      const auto word = random.word(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c));
      table.row(r)[c] = static_cast<float>(word) * 0x1p-31F - 1.0F;
    }
  }
  return table;
}

}  // namespace evenkeel::testing
