// In: a CSR matrix. Out: how many entries each row has.
#pragma once

#include <cstdint>
#include <vector>

#include "data/csr.h"

namespace evenkeel::data {

inline std::vector<std::uint32_t> row_counts(const Csr& csr) {
  std::vector<std::uint32_t> counts(csr.rows());
  for (std::size_t r = 0; r < csr.rows(); ++r) {
    counts[r] = static_cast<std::uint32_t>(csr.count(r));
  }
  return counts;
}

}  // namespace evenkeel::data
