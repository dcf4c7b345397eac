// In: a working-set size. Out: GB/s; and GFLOP/s of register-resident multiply-adds.
#include "limits.h"

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "kernels/rows.h"
#include "kernels/topk.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

double read_bandwidth(std::size_t bytes, int threads, double seconds) {
  Threads team(threads);
  std::vector<double> rates(static_cast<std::size_t>(threads));
  team.run([&](int worker) {
    constexpr std::size_t kRow = 4096;  // floats read by one call
    AlignedArray<float> values(std::max(bytes / sizeof(float), kRow) / kRow * kRow);
    for (float& value : values) value = 1;
    const auto start = Clock::now();
    double read = 0;
    float sink = 0;
    while (since(start) < seconds) {
      for (std::size_t at = 0; at < values.size(); at += kRow) {
        sink += kernels::dot(values.data() + at, values.data() + at, kRow);
      }
      read += static_cast<double>(values.size() * sizeof(float));
    }
    rates[static_cast<std::size_t>(worker)] = sink > 0 ? read / since(start) / 1e9 : 0;
  });
  double total = 0;
  for (const double rate : rates) total += rate;
  return total;
}

double fma_limit(int threads, double seconds) {
  Threads team(threads);
  std::vector<double> rates(static_cast<std::size_t>(threads));
  team.run(
      [&](int worker) { rates[static_cast<std::size_t>(worker)] = measure_fma_limit(seconds); });
  double total = 0;
  for (const double rate : rates) total += rate;
  return total;
}

}  // namespace evenkeel::bench
