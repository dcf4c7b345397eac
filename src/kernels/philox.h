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

// items[k] = words[k] * bound / 2^32 (base/rng.h: bounded). taken[..] lists, ascending, the k whose
// item has its bit set in `owned`; returns how many. Works on whole groups of 16: words, items and
// taken have room for count rounded up, and only those below count are listed.
std::size_t bounded_items(const std::uint32_t* words, std::size_t count, std::uint32_t bound,
                          const std::uint32_t* owned, std::uint32_t* items, std::uint32_t* taken);

}  // namespace evenkeel::kernels
