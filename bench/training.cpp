// In: a shape and a case. Out: positives a second of the lower quartile of steps, and the memory of
// it all.
#include "training.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "limits.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/trainer.h"

namespace evenkeel::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Times every step after the warm-up, then stops.
class Stopwatch final : public train::Observer {
 public:
  Stopwatch(int warm_up, int steps, std::atomic<bool>& stop)
      : warm_up_(warm_up), stop_(stop), seconds_(static_cast<std::size_t>(steps)) {}
  void on_step(const train::StepProgress& news) override {
    const auto now = Clock::now();
    const int measured = seen_ - warm_up_;
    if (measured >= 0) {
      seconds_[static_cast<std::size_t>(measured)] =
          std::chrono::duration<double>(now - last_).count();
      if (news.done > done_) positives_ = std::max(positives_, news.done - done_);
      stop_ = stop_ || static_cast<std::size_t>(measured) + 1 == seconds_.size();
    }
    ++seen_;
    done_ = news.done;
    last_ = now;
  }
  // The lower quartile: a step during which the machine did something else says nothing of the
  // program, and the limits beside it are the best seen, too.
  double rate() {
    std::sort(seconds_.begin(), seconds_.end());
    return static_cast<double>(positives_) / seconds_[seconds_.size() / 4];
  }

 private:
  int warm_up_;
  std::atomic<bool>& stop_;
  std::vector<double> seconds_;
  int seen_ = 0;
  std::size_t done_ = 0, positives_ = 0;
  Clock::time_point last_;
};

Settings settings_of(const data::Dataset& data, const Case& one) {
  Settings settings = train::run_settings();
  for (const auto& [name, value] : one.options) settings.set(name, std::string_view(value));
  settings.set("dim", std::string_view(std::to_string(one.work.dim)));
  settings.set("margin", std::string_view("constant"));  // no extractor to wait for
  settings.set("margin-strength", std::string_view("0.3"));
  train::resolve_defaults(settings);
  train::fit_to_data(settings, data.interactions());
  return settings;
}

}  // namespace

double memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0;
    if (word == name + ":" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

Case own_negatives(std::size_t negatives, std::size_t dim) {
  const auto n = static_cast<double>(negatives);
  return {std::to_string(negatives) + " own",
          {{"loss", "bc"}, {"negatives", std::to_string(negatives)}},
          {.negatives = n, .drawn_items = n * kBatch, .row_reads = 3, .dim = dim},
          150};
}

std::vector<Case> training_cases(std::size_t dim) {
  const auto shared = [&](int negatives, int tile, int steps) -> Case {
    return {fmt::format("mf bc, {} shared by {}", negatives, tile),
            {{"loss", "bc"},
             {"negatives", std::to_string(negatives)},
             {"shared-negatives", "true"},
             {"tile", std::to_string(tile)}},
            {.negatives = static_cast<double>(negatives),
             .drawn_items = static_cast<double>(negatives) * kBatch / tile,
             .dim = dim},
            steps};
  };
  Case graph{"lightgcn bc, in-batch",
             {{"encoder", "lightgcn"}, {"loss", "bc"}, {"negatives", "in-batch"}},
             {.negatives = kBatch - 1, .edge_passes = 2, .dim = dim},
             12};
  Case half = graph;
  half.name += ", half";
  half.options.emplace_back("half-width", "true");
  half.work.edge_bytes = 2;
  // Several batches for one propagation, so each has its share of the edges.
  const auto accumulated = [](Case one, int batches) {
    one.name += fmt::format(", {} at once", batches);
    one.options.emplace_back("accumulate", std::to_string(batches));
    one.work.edge_passes /= batches;
    return one;
  };
  Case own = own_negatives(128, dim);
  own.name = "mf bc, " + own.name;
  return {
      own,  // steps: half a second or more where they are short, so that no disturbance fills it
      shared(128, 64, 900),
      shared(1024, 64, 150),
      shared(1024, 512, 150),
      {"mf bc, in-batch",
       {{"loss", "bc"}, {"negatives", "in-batch"}},
       {.negatives = kBatch - 1, .dim = dim},
       80},
      {"mf bpr",
       {{"loss", "bpr"}},
       {.negatives = 1, .drawn_items = kBatch, .row_reads = 3, .dim = dim},
       1500},
      graph,
      half,
      accumulated(graph, 4),
      accumulated(graph, 8),
      accumulated(half, 8),
      accumulated(half, 16),
  };
}

Rate measure(const data::Dataset& data, const Case& one, int threads) {
  reset_peak();
  const double before = memory("VmRSS");
  const Settings settings = settings_of(data, one);
  Threads team(threads);
  train::Trainer trainer(data, settings, team);
  std::atomic<bool> stop{false};
  // A row that began to wait before step 200 replays steps one by one: later hardly any is left.
  const int warm_up = one.steps >= 100 ? 400 : 3;
  Stopwatch watch(warm_up, one.steps, stop);
  trainer.prepare(watch, stop);
  while (!stop) trainer.run_epoch(watch, stop);
  const double peak = std::max(0.0, memory("VmHWM") - before);
  return {watch.rate(), peak, handover_ns(team)};
}

}  // namespace evenkeel::bench
