// In: a working-set size. Out: GB/s; and GFLOP/s of register-resident multiply-adds.
#include "limits.h"

#include <functional>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "kernels/limits.h"

namespace evenkeel::bench {
namespace {

// The sum of what every thread measures, all at the same time.
double together(int threads, const std::function<double()>& measure) {
  Threads team(threads);
  std::vector<double> rates(static_cast<std::size_t>(threads));
  team.run([&](int worker) { rates[static_cast<std::size_t>(worker)] = measure(); });
  double total = 0;
  for (const double rate : rates) total += rate;
  return total;
}

}  // namespace

Limits measure_limits(int threads) {
  constexpr double kSeconds = 0.3;
  const auto reads = [&](std::size_t kibibytes) {
    return together(threads, [&] {
      AlignedArray<float> values((kibibytes << 10) / sizeof(float));
      for (float& value : values) value = 1;
      return kernels::measure_read_limit(values.data(), values.size(), kSeconds);
    });
  };
  return {together(threads, [] { return kernels::measure_fma_limit(kSeconds); }), reads(512),
          reads(8 << 10), reads(128 << 10)};
}

}  // namespace evenkeel::bench
