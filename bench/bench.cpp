// In: nothing, or a word that names some of the cases (and for `growth` a number of lines,
// for `lists` of items). Out: one table of rates beside the machine's limits, and the same as JSON.
// A training case runs some steps of an epoch, not all of it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "eval/ranker.h"
#include "io/atomic_file.h"
#include "kernels.h"
#include "kernels/rows.h"
#include "lists.h"
#include "phases.h"
#include "quality.h"
#include "shapes.h"
#include "train/trainer.h"
#include "training.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::size_t kDim = 64;
// What is compared is measured in turns, and the best of each counts: other guests of a machine
// come and go within minutes.
constexpr int kRounds = 3;
// Where the host places cores changes, too: a case whose best round had them far apart gets up to
// as many rounds more, so that it is not compared with one that had them together.
constexpr double kFarNs = 100;

bool another(int round, double handover) {
  return round < kRounds || (handover > kFarNs && round < 2 * kRounds);
}

struct Bench {
  std::string only;  // part of "shape case"; empty: everything
  int threads = available_cores();
  Limits limits = measure_limits(threads);
  json report{};

  bool wants(const std::string& name) const { return name.find(only) != std::string::npos; }
  // Of what takes minutes: only where it is named.
  bool asks_for(const std::string& name) const {
    return !only.empty() && (name.find(only) != std::string::npos || only.starts_with(name));
  }
};

void keep_better(const Rate& rate, Rate& best) {
  if (rate.positives > best.positives) best = rate;
}

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_limits(Bench& bench) {
  const Limits& limits = bench.limits;
  fmt::print(
      "{} threads, {}; multiply-adds {:.1f} GFLOP/s together; reads {:.0f}, {:.0f} and {:.0f} GB/s "
      "from 0.5, 8 and 128 MiB a thread\n\n",
      bench.threads, kernels::simd_name(), limits.fma_gflops, limits.l2_gbps, limits.l3_gbps,
      limits.memory_gbps);
  bench.report = {
      {"threads", bench.threads},
      {"simd", kernels::simd_name()},
      {"fma_gflops", limits.fma_gflops},
      {"read_gbps",
       {{"0.5 MiB", limits.l2_gbps}, {"8 MiB", limits.l3_gbps}, {"128 MiB", limits.memory_gbps}}}};
}

void print_row(const Shape& shape, const Case& one, const Bound& bound, const Rate& best,
               double single, double epoch, Bench& bench) {
  const double rate = best.positives;
  const double gflops = rate * flop_per_positive(one.work) / 1e9;
  const double gbps = rate * (bound.table_bytes + bound.cache_bytes) / 1e9;
  const double pairs = rate * pairs_per_positive(one.work);
  fmt::print(
      "{:17} {:29} {:>10.0f} {:>8.1f} {:>8.1f} {:>7.1f} {:>10.0f} {:>5.0f} % {:>6.2f} {:>8.2f} "
      "{:>6.0f}\n",
      shape.name, one.name, rate, pairs / 1e6, gflops, gbps, bound.positives,
      100 * rate / bound.positives, rate / single, epoch, best.handover);
  std::fflush(stdout);
  bench.report["training"].push_back({{"shape", shape.name},
                                      {"case", one.name},
                                      {"positives_per_second", rate},
                                      {"pairs_per_second", pairs},
                                      {"gflops", gflops},
                                      {"gbps", gbps},
                                      {"share_of_fma_limit", gflops / bench.limits.fma_gflops},
                                      {"bound_positives_per_second", bound.positives},
                                      {"share_of_bound", rate / bound.positives},
                                      {"speed_up", rate / single},
                                      {"seconds_per_epoch", epoch},
                                      {"handover_ns", best.handover}});
}

void run_training(Bench& bench) {
  fmt::print("{:17} {:29} {:>10} {:>8} {:>8} {:>7} {:>10} {:>7} {:>6} {:>8} {:>6}\n", "shape",
             "case", "pos/s", "Mpair/s", "GFLOP/s", "GB/s", "bound", "of it",
             fmt::format("1->{}", bench.threads), "s/epoch", "ns");
  for (const Shape& shape : {tencent_like(), amazon_book_like(), ifashion_like()}) {
    std::vector<Case> cases = training_cases(kDim);
    std::erase_if(cases, [&](const Case& c) { return !bench.wants(shape.name + " " + c.name); });
    if (cases.empty()) continue;
    const data::Dataset data = make_data(shape);
    for (const Case& one : cases) {
      double single = 0;
      Rate best;
      for (int round = 0; another(round, best.handover); ++round) {
        single = std::max(single, measure(data, one, 1).positives);
        keep_better(measure(data, one, bench.threads), best);
      }
      print_row(shape, one, bound_of(one.work, data, bench.limits), best, single,
                static_cast<double>(data.interactions()) / best.positives, bench);
    }
  }
}

double rank_seconds(const Matrix& users, const Matrix& items, const data::Csr& masked,
                    int threads) {
  Threads team(threads);
  eval::Ranker ranker;
  std::vector<Row> rows(users.rows());
  for (std::size_t u = 0; u < rows.size(); ++u) rows[u] = static_cast<Row>(u);
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    ranker.prepare({users, items, model::Score::kCosine}, team);
    ranker.rank(rows, &masked, 20, team, [](std::size_t, std::span<const kernels::Ranked>, int) {});
    best = std::min(best, since(start));
  }
  return best;
}

void run_evaluation(Bench& bench) {
  const Shape shape{"Gowalla-like", 29858, 40981, 810128};
  if (!bench.wants(shape.name + " evaluation")) return;
  const data::Dataset data = make_data(shape);
  const Matrix users = encoder::starting_table(shape.users, 0, kDim, 1, Side::kUser);
  const Matrix items = encoder::starting_table(shape.items, 0, kDim, 1, Side::kItem);
  const double single = rank_seconds(users, items, data.items_of, 1);
  const double seconds = rank_seconds(users, items, data.items_of, bench.threads);
  const double gflops = 2.0 * kDim * static_cast<double>(shape.users * shape.items) / seconds / 1e9;
  const double share = gflops / bench.limits.fma_gflops;
  fmt::print(
      "{} evaluation, all {} users against {} items, top-20 and masks: {:.2f} s, {:.1f} GFLOP/s, "
      "{:.0f} % of the FMA limit, 1->{} {:.2f}\n\n",
      shape.name, shape.users, shape.items, seconds, gflops, 100 * share, bench.threads,
      single / seconds);
  bench.report["evaluation"] = {{"shape", shape.name},
                                {"seconds", seconds},
                                {"gflops", gflops},
                                {"share_of_fma_limit", share},
                                {"speed_up", single / seconds}};
}

// What a training must hold: both tables and their moments, and the pairs both ways.
double needed_memory(const data::Dataset& data) {
  const double rows = static_cast<double>(data.users.size() + data.items.size());
  const double pairs = static_cast<double>(data.interactions());
  return rows * kDim * sizeof(float) * 3 + 2 * pairs * sizeof(Row) + rows * sizeof(std::size_t);
}

// How an epoch grows when one thing doubles: the ratio of its seconds.
void run_growth(Bench& bench) {
  if (!bench.wants("growth")) return;
  const Shape base = tencent_like();
  const Case usual = own_negatives(128, kDim);
  const auto seconds = [](const data::Dataset& data, const Rate& rate) {
    return static_cast<double>(data.interactions()) / rate.positives;
  };
  fmt::print("\nan epoch of 128 own negatives, {}, when one thing doubles:", base.name);
  const auto say = [&](const char* what, const Shape& shape, const Case& one) {
    const data::Dataset data = make_data(base), doubled = make_data(shape);
    Rate once, twice;
    for (int round = 0; another(round, std::max(once.handover, twice.handover)); ++round) {
      keep_better(measure(data, usual, bench.threads), once);
      keep_better(measure(doubled, one, bench.threads), twice);
    }
    const double ratio = seconds(doubled, twice) / seconds(data, once);
    fmt::print(" {} {:.2f}x", what, ratio);
    std::fflush(stdout);
    bench.report["growth"][what] = ratio;
  };
  say("users", {"", 2 * base.users, base.items, base.interactions}, usual);
  say("items", {"", base.users, 2 * base.items, base.interactions}, usual);
  say("interactions", {"", base.users, base.items, 2 * base.interactions}, usual);
  say("negatives", base, own_negatives(256, kDim));
  say("dim", base, own_negatives(128, 2 * kDim));
  fmt::print("\n");
}

// First of all: later the heap holds what other cases have left, and a peak says little.
void run_memory(Bench& bench) {
  if (!bench.wants("memory")) return;
  const data::Dataset data = make_data(tencent_like());
  const double csr = 2.0 * static_cast<double>(data.interactions()) * sizeof(Row);
  const double peak = measure(data, own_negatives(128, kDim), bench.threads).peak_memory + csr;
  const double ratio = peak / needed_memory(data);
  fmt::print(
      "\npeak memory of a training, {}: {:.0f} MB, {:.2f} x (tables + moments + pairs both ways)\n",
      tencent_like().name, peak / 1e6, ratio);
  bench.report["peak_memory_ratio"] = ratio;
}

constexpr std::size_t kLines = 1'250'000;  // of the smallest log of `growth`
constexpr std::size_t kItems = 1'000'000;  // of `lists`

// `size` is 0 where none was given.
void run(const std::string& path, const std::string& only, std::size_t size) {
  Bench bench{.only = only};
  print_limits(bench);
  run_memory(bench);
  if (bench.wants("kernels")) bench.report["kernels"] = run_kernels(bench.limits);
  run_evaluation(bench);
  run_training(bench);
  run_growth(bench);
  if (bench.asks_for("growth")) {
    bench.report["phases"] = run_phases(path, size > 0 ? size : kLines, bench.threads);
  }
  if (bench.asks_for("lists")) bench.report["lists"] = run_lists(size > 0 ? size : kItems);
  if (bench.asks_for("quality")) bench.report["quality"] = run_quality(only, bench.threads);
  io::write_file_atomically(path, bench.report.dump(2) + "\n");
  fmt::print("\nwritten to {}\n", path);
}

}  // namespace
}  // namespace evenkeel::bench

int main(int count, char** words) {
  try {
    evenkeel::bench::run(count > 1 ? words[1] : "bench.json", count > 2 ? words[2] : "",
                         count > 3 ? std::strtoull(words[3], nullptr, 10) : 0);
  } catch (const evenkeel::Error& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return error.exit_code();
  }
  return 0;
}
