// Buckets of neighbouring rows: what a batch's rows are grouped by, and what ranks divide a table
// at. In: the rows of a table; out: how many of them are a bucket.
#pragma once

#include <cstddef>

namespace evenkeel {

inline constexpr std::size_t kMostBucketBits = 9;  // 512 rows: their counters stay in L1

// log2 of a bucket's rows. Few rows make small buckets, so that a small catalogue is still shared
// out: 64 pieces of work are enough for many threads.
constexpr std::size_t bucket_bits(std::size_t rows) {
  std::size_t bits = 3;
  while (bits < kMostBucketBits && (rows >> bits) > 64) ++bits;
  return bits;
}

}  // namespace evenkeel
