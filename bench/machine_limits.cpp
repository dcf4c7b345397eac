// In: nothing but time. Out: rates of loops that do one thing only.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "../bench/machine_limits.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <chrono>

#include "machine_limits.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve chains of multiply-adds that never leave the registers.
double run_fma(std::size_t rounds, float* sink) {
  const hn::CappedTag<float, 16> d;
  const auto x = hn::Set(d, 0.999F);
  const auto y = hn::Set(d, 0.001F);
  auto a0 = hn::Iota(d, 0.1F), a1 = hn::Iota(d, 0.2F), a2 = hn::Iota(d, 0.3F);
  auto a3 = hn::Iota(d, 0.4F), a4 = hn::Iota(d, 0.5F), a5 = hn::Iota(d, 0.6F);
  auto b0 = a0, b1 = a1, b2 = a2, b3 = a3, b4 = a4, b5 = a5;
  for (std::size_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, x, y);
    a1 = hn::MulAdd(a1, x, y);
    a2 = hn::MulAdd(a2, x, y);
    a3 = hn::MulAdd(a3, x, y);
    a4 = hn::MulAdd(a4, x, y);
    a5 = hn::MulAdd(a5, x, y);
    b0 = hn::MulAdd(b0, y, x);
    b1 = hn::MulAdd(b1, y, x);
    b2 = hn::MulAdd(b2, y, x);
    b3 = hn::MulAdd(b3, y, x);
    b4 = hn::MulAdd(b4, y, x);
    b5 = hn::MulAdd(b5, y, x);
  }
  auto sum = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(a4, a5));
  sum = hn::Add(sum, hn::Add(hn::Add(hn::Add(b0, b1), hn::Add(b2, b3)), hn::Add(b4, b5)));
  *sink += hn::GetLane(hn::SumOfLanes(d, sum));
  return 2.0 * 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

// Eight sums: enough that loads and not additions are the limit. Whole groups of 128 floats.
float read_all(const float* values, std::size_t count) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t k = 0; k + 8 * lanes <= count; k += 8 * lanes) {
    s0 = hn::Add(s0, hn::LoadU(d, values + k));
    s1 = hn::Add(s1, hn::LoadU(d, values + k + lanes));
    s2 = hn::Add(s2, hn::LoadU(d, values + k + 2 * lanes));
    s3 = hn::Add(s3, hn::LoadU(d, values + k + 3 * lanes));
    s4 = hn::Add(s4, hn::LoadU(d, values + k + 4 * lanes));
    s5 = hn::Add(s5, hn::LoadU(d, values + k + 5 * lanes));
    s6 = hn::Add(s6, hn::LoadU(d, values + k + 6 * lanes));
    s7 = hn::Add(s7, hn::LoadU(d, values + k + 7 * lanes));
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best rate of `work`, which returns how much it did, in 1e9 a second.
template <typename Work>
double best_rate(double seconds, Work work) {
  double best = 0;
  const auto start = Clock::now();
  do {
    const auto round = Clock::now();
    const double done = work();
    best = std::max(best, done / since(round) * 1e-9);
  } while (since(start) < seconds);
  return best;
}

}  // namespace

HWY_EXPORT(run_fma);
HWY_EXPORT(read_all);

double measure_fma_limit(double seconds) {
  float sink = 0;
  const double best =
      best_rate(seconds, [&] { return HWY_DYNAMIC_DISPATCH(run_fma)(200'000, &sink); });
  volatile float keep = sink;  // the loop must not be optimised away
  static_cast<void>(keep);
  return best;
}

double measure_read_limit(const float* values, std::size_t count, double seconds) {
  const std::size_t passes = std::max<std::size_t>(1, (std::size_t{1} << 20) / count);
  float sink = 0;
  const double best = best_rate(seconds, [&] {
    for (std::size_t pass = 0; pass < passes; ++pass) {
      sink += HWY_DYNAMIC_DISPATCH(read_all)(values, count);
    }
    return static_cast<double>(passes * count * sizeof(float));
  });
  volatile float keep = sink;
  static_cast<void>(keep);
  return best;
}

}  // namespace evenkeel::kernels
#endif
