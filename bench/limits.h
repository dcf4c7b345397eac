// The machine's own limits, measured in the same run. In: seconds to spend; out: rates.
#pragma once

#include <cstddef>

#include "base/threads.h"

namespace evenkeel::bench {

struct Limits {
  double fma_gflops = 0;
  double l2_gbps = 0, l3_gbps = 0, memory_gbps = 0;  // reads of 0.5, 8 and 128 MiB a thread
};
Limits measure_limits(int threads);  // of all threads together

// Nanoseconds until the second core sees what the first has written: about 30 where both share a
// cache, 170 where they do not. 0 for one thread.
double handover_ns(Threads& team);

}  // namespace evenkeel::bench
