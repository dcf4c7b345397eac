// Random words in bulk. In: the key and counter of base/rng.h; out: the same words that
// Random::words gives one counter at a time, several counters to a vector.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evenkeel::kernels {

struct PhiloxStream {
  std::uint32_t key[2];
  std::uint32_t row, epoch, purpose;
};

// words[4 * i + j] = word j at counter (row, i, epoch, purpose), i = 0 .. (count + 3) / 4 - 1.
// Writes whole groups of 64 words: `words` has room for count rounded up to a multiple of 64.
void philox_words(const PhiloxStream& stream, std::size_t count, std::uint32_t* words);

}  // namespace evenkeel::kernels
