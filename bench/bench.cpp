// In: nothing. Out: one table of rates beside the machine's limits, and the same as JSON
// (bench.json, or the path given). Each training case runs some steps of an epoch, not all of it.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "eval/ranker.h"
#include "io/atomic_file.h"
#include "kernels/rows.h"
#include "limits.h"
#include "shapes.h"
#include "train/run.h"
#include "train/trainer.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using Options = std::vector<std::pair<std::string_view, std::string_view>>;

constexpr std::size_t kDim = 64;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Stops after some steps and says how long those after the warm-up took.
class Stopwatch final : public Observer {
 public:
  Stopwatch(int warm_up, int steps, std::atomic<bool>& stop)
      : warm_up_(warm_up), steps_(steps), stop_(stop) {}
  void on_step(const StepNews& news) override {
    ++seen_;
    if (seen_ == warm_up_) {
      start_ = Clock::now();
      first_ = news.done;
    }
    if (seen_ == warm_up_ + steps_) {
      rate_ = static_cast<double>(news.done - first_) / since(start_);
      stop_ = true;
    }
  }
  double rate() const { return rate_; }

 private:
  int warm_up_, steps_;
  std::atomic<bool>& stop_;
  int seen_ = 0;
  std::size_t first_ = 0;
  Clock::time_point start_;
  double rate_ = 0;
};

double positives_per_second(const Dataset& data, const Options& options, int threads, int steps) {
  Settings settings = run_settings();
  for (const auto& [name, value] : options) settings.set(name, value);
  settings.set("margin", std::string_view("constant"));  // no extractor to wait for
  settings.set("margin-strength", std::string_view("0.3"));
  resolve_defaults(settings);
  fit_to_data(settings, data.interactions());
  Threads team(threads);
  Trainer trainer(data, settings, team);
  std::atomic<bool> stop{false};
  Stopwatch watch(std::max(2, steps / 10), steps, stop);
  trainer.prepare(watch, stop);
  trainer.run_epoch(watch, stop);
  return watch.rate();
}

struct Case {
  std::string name;
  Options options;
  double flop_per_positive = 0;  // multiply-adds count two
  int steps = 0;
};

std::vector<Case> training_cases() {
  // Forward, user gradient, item gradient: three products of 64 with each negative.
  const auto flop = [](double negatives) { return 6.0 * kDim * (negatives + 1); };
  return {
      {"mf bc, 128 own", {{"loss", "bc"}, {"negatives", "128"}}, flop(128), 150},
      {"mf bc, 128 shared",
       {{"loss", "bc"}, {"negatives", "128"}, {"shared-negatives", "true"}},
       flop(128),
       300},
      {"mf bc, 1024 shared",
       {{"loss", "bc"}, {"negatives", "1024"}, {"shared-negatives", "true"}},
       flop(1024),
       150},
      {"mf bc, in-batch", {{"loss", "bc"}, {"negatives", "in-batch"}}, flop(2048), 100},
      {"mf bpr", {{"loss", "bpr"}}, flop(1), 300},
      {"lightgcn bc, in-batch",
       {{"encoder", "lightgcn"}, {"loss", "bc"}, {"negatives", "in-batch"}},
       flop(2048),
       12},
  };
}

json run_training(const Shape& shape, double fma, int threads) {
  const Dataset data = make_data(shape);
  json rows = json::array();
  for (const Case& one : training_cases()) {
    const double single = positives_per_second(data, one.options, 1, one.steps / 2 + 2);
    const double rate = positives_per_second(data, one.options, threads, one.steps);
    const double gflops = rate * one.flop_per_positive / 1e9;
    const double epoch = static_cast<double>(data.interactions()) / rate;
    fmt::print("{:18} {:22} {:>12.0f} {:>9.1f} {:>8.1f} % {:>9.2f} {:>10.1f}\n", shape.name,
               one.name, rate, gflops, 100 * gflops / fma, rate / single, epoch);
    std::fflush(stdout);
    rows.push_back({{"shape", shape.name},
                    {"case", one.name},
                    {"positives_per_second", rate},
                    {"gflops", gflops},
                    {"share_of_fma_limit", gflops / fma},
                    {"speed_up", rate / single},
                    {"seconds_per_epoch", epoch}});
  }
  return rows;
}

double rank_seconds(const Matrix& users, const Matrix& items, const Csr& masked, int threads) {
  Threads team(threads);
  Ranker ranker;
  std::vector<Row> rows(users.rows());
  for (std::size_t u = 0; u < rows.size(); ++u) rows[u] = static_cast<Row>(u);
  const auto start = Clock::now();
  ranker.prepare({users, items, Score::kCosine}, team);
  ranker.rank(rows, &masked, 20, team, [](std::size_t, std::span<const Ranked>, int) {});
  return since(start);
}

json run_evaluation(double fma, int threads) {
  const Shape shape{"Gowalla-like", 29858, 40981, 810128};
  const Dataset data = make_data(shape);
  const Matrix users = starting_table(shape.users, 0, kDim, 1, Side::kUser);
  const Matrix items = starting_table(shape.items, 0, kDim, 1, Side::kItem);
  const double single = rank_seconds(users, items, data.items_of, 1);
  const double seconds = rank_seconds(users, items, data.items_of, threads);
  const double gflops = 2.0 * kDim * static_cast<double>(shape.users * shape.items) / seconds / 1e9;
  fmt::print("{:18} {:22} {:>12.0f} {:>9.1f} {:>8.1f} % {:>9.2f} {:>10.2f}\n", shape.name,
             "top-20, masked (users)", static_cast<double>(shape.users) / seconds, gflops,
             100 * gflops / fma, single / seconds, seconds);
  return {{"shape", shape.name},
          {"case", "evaluation"},
          {"seconds", seconds},
          {"gflops", gflops},
          {"share_of_fma_limit", gflops / fma},
          {"speed_up", single / seconds}};
}

void run(const std::string& path) {
  const int threads = available_cores();
  const double fma = fma_limit(threads, 0.5);
  json report{{"threads", threads}, {"simd", kernels::simd_name()}, {"fma_gflops", fma}};
  fmt::print("{} threads, {}; multiply-adds {:.1f} GFLOP/s together; reads", threads,
             kernels::simd_name(), fma);
  for (const std::size_t mebibytes : {std::size_t{0}, std::size_t{8}, std::size_t{128}}) {
    const std::size_t bytes = mebibytes == 0 ? std::size_t{512} << 10 : mebibytes << 20;
    const double rate = read_bandwidth(bytes, threads, 0.3);
    const std::string label = mebibytes == 0 ? "0.5 MiB" : fmt::format("{} MiB", mebibytes);
    fmt::print(" {:.0f} GB/s ({} a thread)", rate, label);
    report["read_gbps"][label] = rate;
  }
  fmt::print("\n\n{:18} {:22} {:>12} {:>9} {:>10} {:>9} {:>10}\n", "shape", "case", "positives/s",
             "GFLOP/s", "of limit", "1->" + std::to_string(threads), "s/epoch");
  report["evaluation"] = run_evaluation(fma, threads);
  report["training"] = json::array();
  for (const Shape& shape : {tencent_like(), amazon_book_like(), ifashion_like()}) {
    for (const json& row : run_training(shape, fma, threads)) report["training"].push_back(row);
  }
  write_file_atomically(path, report.dump(2) + "\n");
  fmt::print("\nwritten to {}\n", path);
}

}  // namespace
}  // namespace evenkeel::bench

int main(int count, char** words) {
  try {
    evenkeel::bench::run(count > 1 ? words[1] : "bench.json");
  } catch (const evenkeel::Error& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return error.exit_code();
  }
  return 0;
}
