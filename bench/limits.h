// The machine's own limits, measured in the same run. In: seconds to spend; out: rates.
#pragma once

#include <cstddef>

namespace evenkeel::bench {

// Bytes a second that `threads` threads together read from working sets of `bytes` each, in GB/s.
double read_bandwidth(std::size_t bytes, int threads, double seconds);

// Multiply-adds of `threads` threads together, in GFLOP/s.
double fma_limit(int threads, double seconds);

}  // namespace evenkeel::bench
