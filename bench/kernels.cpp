// In: limits of all threads. Out: each kernel's rate on one thread beside one thread's share of
// them; operands are in L2 or nearer, so that the kernel and not the memory is measured.
#include "kernels.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/matrix.h"
#include "base/rng.h"
#include "base/threads.h"
#include "encoder/encoder.h"
#include "kernels/adam.h"
#include "kernels/gemm.h"
#include "kernels/philox.h"
#include "kernels/rows.h"
#include "kernels/softmax.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDim = 64, kRows = 512, kCount = 4096;

// Seconds of one call: the best of many, so that an interruption does not count.
double best_seconds(const std::function<void()>& call) {
  double best = 1e9;
  const auto begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begin).count() < 0.1) {
    const auto start = Clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace

nlohmann::json run_kernels(const Limits& limits) {
  const int threads = available_cores();
  const double fma = limits.fma_gflops / threads, l2 = limits.l2_gbps / threads;
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("{:22} {:>10} {:>9} {:>8}  (one thread, operands in L2)\n", "kernel", "GFLOP/s",
             "GB/s", "of limit");
  const auto say = [&](const char* name, double flop, double bytes,
                       const std::function<void()>& call) {
    const double seconds = best_seconds(call);
    const double gflops = flop / seconds / 1e9, gbps = bytes / seconds / 1e9;
    const double share = std::max(gflops / fma, gbps / l2);
    fmt::print("{:22} {:>10.1f} {:>9.1f} {:>6.0f} %\n", name, gflops, gbps, 100 * share);
    rows.push_back(
        {{"kernel", name}, {"gflops", gflops}, {"gbps", gbps}, {"share_of_limit", share}});
  };

  const Matrix items = encoder::starting_table(kRows, 0, kDim, 1, Side::kItem);
  const Matrix users = encoder::starting_table(kRows, 0, kDim, 1, Side::kUser);
  Matrix gradients(kRows, kDim), m(kRows, kDim), v(kRows, kDim), table = items;
  const Random random(1, Purpose::kMarket);
  std::vector<Row> ids(kCount);
  std::vector<float> values(kCount, 0.1F), ones(kRows, 1.0F), totals(kRows);
  for (std::uint32_t k = 0; k < kCount; ++k) ids[k] = bounded(random.word(k, 0), kRows);
  const double pair_flop = 2.0 * kDim * kCount, row_bytes = 4.0 * kDim;
  say("gather_dots", pair_flop, row_bytes * kCount, [&] {
    kernels::gather_dots(users.row(0), items.data(), items.stride(), ids.data(), kCount,
                         ones.data(), values.data());
  });
  say("gather_exponentials", 2 * pair_flop, row_bytes * kCount, [&] {
    kernels::gather_exponentials(users.row(0),
                                 {items.data(), items.stride(), ids.data(), kCount, 0, ones.data()},
                                 0.1F, values.data(), gradients.row(0));
  });
  std::fill(values.begin(), values.end(), 1e-6F);
  say("gather_sum", pair_flop, row_bytes * kCount, [&] {
    kernels::gather_sum(items.data(), items.stride(), ids.data(), values.data(), kCount, nullptr,
                        gradients.row(0));
  });
  std::vector<Row> each(kRows);
  for (std::size_t r = 0; r < kRows; ++r) each[r] = static_cast<Row>(r);
  const std::vector<float> decay(kRows, 0.0F);
  say("adam_rows", 12.0 * kDim * kRows, 7 * row_bytes * kRows, [&] {
    kernels::adam_rows({}, {1e-3F, 1.0F}, {table.data(), m.data(), v.data(), table.stride()},
                       each.data(), kRows, gradients.data(), decay.data());
  });
  // As own negatives use it: eight entries per row, summed and handed to Adam.
  std::vector<std::uint32_t> starts(kRows + 1);
  for (std::size_t r = 0; r <= kRows; ++r)
    starts[r] = static_cast<std::uint32_t>(r * kCount / kRows);
  Matrix scratch_row(1, kDim);
  say("adam_sums", pair_flop + 12.0 * kDim * kRows, row_bytes * (kCount + 6 * kRows), [&] {
    kernels::adam_sums({}, {1e-3F, 1.0F}, {table.data(), m.data(), v.data(), table.stride()},
                       {.rows = each,
                        .entries = {.starts = starts.data(),
                                    .ids = ids.data(),
                                    .readable = kCount,
                                    .weights = values.data(),
                                    .summands = users.data()},
                        .normalisation = {.inverse_norms = ones.data(), .new_norms = totals.data()},
                        .scratch_row = scratch_row.data()});
  });
  AlignedArray<float> panels(128 * kDim), tile(64 * 144);
  kernels::pack_panels(items.data(), 128, kDim, panels.data());
  say("gemm 64 x 128 x 64", 2.0 * 64 * 128 * kDim, 0, [&] {
    kernels::gemm({.rows = 64,
                   .panels = 8,
                   .depth = kDim,
                   .a = users.data(),
                   .a_row = kDim,
                   .a_depth = 1,
                   .b = panels.data(),
                   .b_panel = 16 * kDim,
                   .b_depth = 16,
                   .c = tile.data(),
                   .c_row = 144});
  });
  const auto say_each = [&](const char* name, const char* of, int count, const auto& call) {
    const double nanoseconds = best_seconds(call) * 1e9 / count;
    fmt::print("{:22} {:.2f} ns a {}\n", name, nanoseconds, of);
    rows.push_back({{"kernel", name}, {"nanoseconds", nanoseconds}});
  };
  std::vector<float> line(128, 0.3F), out(128);
  say_each("softmax_row", "negative", 64 * 128, [&] {
    for (int r = 0; r < 64; ++r) kernels::softmax_row(0.5F, line.data(), 128, 0.1F, out.data());
  });
  say_each("exponentials", "negative", 64 * 128, [&] {
    // Over and over the same row: what it holds stays between 0 and 1.
    for (int r = 0; r < 64; ++r) kernels::exponentials(line.data(), line.size(), 0.1F);
  });
  std::vector<std::uint32_t> words(4096);
  say_each("philox_words", "word", 4096, [&] {
    kernels::philox_words({{1, 2}, 3, 4, 5}, 4096, words.data());
  });
  fmt::print("\n");
  return rows;
}

}  // namespace evenkeel::bench
