// In: a working-set size. Out: GB/s; GFLOP/s of register-resident multiply-adds; and the time a
// line takes from core to core.
#include "limits.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "base/matrix.h"
#include "machine_limits.h"

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
  // Memory is shared with other guests of a machine: what it gave in a slow moment is no limit.
  constexpr int kRounds = 3;
  const auto reads = [&](std::size_t kibibytes) {
    return together(threads, [&] {
      AlignedArray<float> values((kibibytes << 10) / sizeof(float));
      for (float& value : values) value = 1;
      return kernels::measure_read_limit(values.data(), values.size(), kSeconds);
    });
  };
  Limits best{};
  for (int round = 0; round < kRounds; ++round) {
    best.fma_gflops = std::max(
        best.fma_gflops, together(threads, [] { return kernels::measure_fma_limit(kSeconds); }));
    best.l2_gbps = std::max(best.l2_gbps, reads(512));
    best.l3_gbps = std::max(best.l3_gbps, reads(8 << 10));
    best.memory_gbps = std::max(best.memory_gbps, reads(128 << 10));
  }
  return best;
}

double handover_ns(Threads& team) {
  if (team.count() < 2) return 0;
  constexpr int kTurns = 200000;
  alignas(128) std::atomic<int> turn{0};
  const auto start = std::chrono::steady_clock::now();
  team.run([&](int worker) {
    for (int own = worker; worker < 2 && own < kTurns; own += 2) {
      while (turn.load(std::memory_order_acquire) != own) continue;
      turn.store(own + 1, std::memory_order_release);
    }
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count() * 1e9 / kTurns;
}

}  // namespace evenkeel::bench
