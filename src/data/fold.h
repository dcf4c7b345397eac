// In: two words. Out: one, which depends on every bit of both.
#pragma once

#include <cstdint>

namespace evenkeel::data {

// The halves of the 128-bit product, one over the other.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace evenkeel::data
