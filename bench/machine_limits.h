// What one core can do at most: the limits beside which benchmarks show their rates.
// In: seconds to spend; out: the best rate seen, so that an interruption does not count.
#pragma once

#include <cstddef>

namespace evenkeel::kernels {

// Multiply-adds when nothing leaves the registers, in GFLOP/s.
double measure_fma_limit(double seconds);

// Reads, in order, of a working set of so many floats, in GB/s.
double measure_read_limit(const float* values, std::size_t count, double seconds);

}  // namespace evenkeel::kernels
