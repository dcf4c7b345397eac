// In: logs of growing size. Out: seconds of each phase of a training, and by how much they grow.
#include "phases.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>

#include "data/load.h"
#include "data/prepare.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "data/synthetic_log.h"
#include "io/json_text.h"
#include "model/model.h"
#include "report/report.h"
#include "train/complete_settings.h"
#include "train/extractor.h"
#include "train/options.h"
#include "train/run.h"
#include "training.h"

namespace evenkeel::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::array<int, 4> kFactors{1, 2, 4, 8};
constexpr double kAllowed = 1.15;  // times as much as the input grows

struct Phase {
  std::string name;
  std::string input;  // what it should grow with
};
const std::array<Phase, 8> kPhases{{{"read", "lines"},
                                    {"prepare", "lines"},
                                    {"open", "pairs"},
                                    {"extractor", "pairs"},
                                    {"epoch", "pairs"},
                                    {"validation", "pairs"},
                                    {"save", "pairs"},
                                    {"report", "pairs"}}};

struct Sizes {
  std::map<std::string, double> seconds;
  double peak = 0;
};

// Runs `work` and returns its seconds.
template <typename Work>
double timed(Work work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Settings training_settings(int threads) {
  Settings settings = train::run_settings();
  const auto set = [&](std::string_view name, std::string_view value) {
    settings.set(name, value);
  };
  set("loss", "bc");
  set("negatives", "128");
  set("shared-negatives", "true");
  set("epochs", "1");
  set("evaluation-users", "10000");
  set("checkpoint-seconds", "-1");
  set("threads", std::to_string(threads));
  return settings;
}

// The phases that a user waits for, in this order.
Sizes measure_phases(const fs::path& folder, const data::MarketOptions& market, int count) {
  Threads threads(count);
  train::Observer nobody;
  const std::atomic<bool> stop{false};
  const std::string log = (folder / "log.csv").string(), ready = (folder / "ready").string();
  const std::string run = (folder / "run").string();
  data::write_synthetic_log(log, market, threads);
  reset_peak();
  Sizes sizes;
  auto& seconds = sizes.seconds;
  const Settings settings = training_settings(count);
  seconds["read"] = timed([&] { data::read_interactions(log, {}, threads); });
  seconds["prepare"] = timed([&] {
    data::PrepareRequest request;
    request.files = {log};
    request.out = ready;
    data::prepare(request, settings, threads);
  });
  fs::remove(log);
  data::Dataset data;
  const Settings known = data::data_settings(ready, settings);
  seconds["open"] = timed([&] { data = data::load_for_training(ready, known, threads); });
  Settings resolved = known;
  train::resolve_defaults(resolved);
  seconds["extractor"] =
      timed([&] { train::train_extractor(data, resolved, threads, nobody, stop); });
  train::RunRequest request;
  request.data = ready;
  request.out = run;
  data = {};
  const train::FinishedRun finished = train::fit_model(request, settings, nobody, stop);
  const json event = io::read_json_file(run + "/events.jsonl");
  seconds["epoch"] = event.at("seconds").get<double>();
  seconds["validation"] = event.at("evaluate_seconds").get<double>();
  seconds["save"] = timed([&] { model::save_model(finished.model, run + "/again.safetensors"); });
  report::ReportRequest page;
  page.paths = {run};
  seconds["report"] = timed([&] { report::make_report(page, threads, nobody, stop); });
  sizes.peak = memory("VmHWM");
  return sizes;
}

}  // namespace

json run_phases(const std::string& path, std::size_t lines, int threads) {
  const fs::path folder = fs::path(path + ".growth");
  json report = json::array();
  std::vector<Sizes> measured;
  fmt::print("\n{:>5} {:>10} {:>9} {:>11}", "", "users", "items", "lines");
  for (const Phase& phase : kPhases) fmt::print(" {:>10}", phase.name);
  fmt::print(" {:>9}\n", "peak MB");
  for (const int factor : kFactors) {
    data::MarketOptions market;
    market.interactions = static_cast<std::int64_t>(lines) * factor;
    market.users = market.interactions * 3 / 100;  // as in the log of 100 million lines
    market.items = market.interactions / 200;
    fs::create_directories(folder);
    measured.push_back(measure_phases(folder, market, threads));
    fs::remove_all(folder);
    const Sizes& now = measured.back();
    fmt::print("{:>4}x {:>10} {:>9} {:>11}", factor, market.users, market.items,
               market.interactions);
    for (const Phase& phase : kPhases) fmt::print(" {:>10.3f}", now.seconds.at(phase.name));
    fmt::print(" {:>9.0f}\n", now.peak / 1e6);
    std::fflush(stdout);
    report.push_back({{"factor", factor},
                      {"users", market.users},
                      {"items", market.items},
                      {"lines", market.interactions},
                      {"seconds", now.seconds},
                      {"peak_memory_bytes", now.peak}});
  }
  // From the smallest to the largest: single doublings are noisy where a phase takes milliseconds.
  fmt::print("{:>38}", "8x costs, of 8 times 1x");
  for (const Phase& phase : kPhases) {
    const double growth = measured.back().seconds.at(phase.name) /
                          (measured.front().seconds.at(phase.name) * kFactors.back());
    fmt::print(" {:>9.2f}{}", growth, growth > kAllowed ? "!" : " ");
  }
  fmt::print(" {:>9.2f}\n", measured.back().peak / (measured.front().peak * kFactors.back()));
  return report;
}

}  // namespace evenkeel::bench
