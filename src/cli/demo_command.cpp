// In: a seed. Out: four methods on the default synthetic market, one of them also with the
// popularity correction, one table, sentences from it.
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/demo_verdict.h"
#include "cli/option_binding.h"
#include "cli/progress.h"
#include "cli/result_table.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/write_report.h"
#include "data/synthetic.h"
#include "train/run.h"

namespace evenkeel::cli {
namespace {

struct DemoArguments {
  DemoArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {{"seed", std::int64_t{1}, "seed of the market and of training", 0, 9e15},
                          threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  std::string folder = "evenkeel-demo";
  bool quiet = false, json = false;
};

struct Method {
  std::string_view name, loss;
  std::vector<std::pair<std::string_view, std::string_view>> options;
};

// Each trained method had the same effort: five or six settings tried on the market of seed 1, the
// one with the best validation Recall@20 kept; no test took part. softmax and bc (strength 1): both
// taus 0.1, 0.15, 0.2, 0.3, 0.5. bpr: l2 1e-5, 1e-4, 1e-3 with 1 negative, and 8, 32, 128
// negatives. The last one is bc with the popularity correction that its goal chooses.
std::vector<Method> methods() {
  const std::vector<std::pair<std::string_view, std::string_view>> bc{{"tau", "0.3"},
                                                                      {"tau-extractor", "0.3"},
                                                                      {"margin-strength", "1"},
                                                                      {"negatives", "128"},
                                                                      {"lr", "0.001"}};
  std::vector<Method> all{
      {"most-pop", "most-pop", {}},
      {"bpr", "bpr", {{"negatives", "8"}}},
      {"softmax", "softmax", {{"tau", "0.3"}, {"negatives", "128"}, {"lr", "0.001"}}},
      {"bc", "bc", bc},
      {std::string_view(kBalancedMethod), "bc", bc}};
  all.back().options.push_back({"goal", "balanced"});
  return all;
}

Settings method_settings(const Method& method, const Settings& demo) {
  Settings settings = train::run_settings();
  settings.set("loss", method.loss);
  settings.set("batch", std::string_view("1024"));
  settings.set("epochs", std::string_view("150"));
  settings.set("seed", demo.value("seed"));
  settings.set("threads", demo.value("threads"));
  settings.set("name", method.name);  // bc twice: the report says which is which
  for (const auto& [name, value] : method.options) settings.set(name, value);
  return settings;
}

std::string make_demo_market(const DemoArguments& options, const Settings& demo) {
  data::MarketOptions market;
  market.seed = static_cast<std::uint64_t>(demo.integer("seed"));
  std::string folder = (std::filesystem::path(options.folder) / "market").string();
  Threads threads(static_cast<int>(demo.integer("threads")));
  data::write_market(folder, data::make_market(market, threads));
  if (!options.quiet)
    say("evenkeel: made a market of {} users and {} items in {}", grouped_digits(market.users),
        grouped_digits(market.items), folder);
  return folder;
}

void print_table(const std::vector<DemoResult>& results) {
  Table table({"method", "imbalanced R@20", "N@20", "balanced R@20", "N@20", "unbiased R@20",
               "N@20", "tail share", "seconds"});
  for (const DemoResult& result : results) {
    std::vector<std::string> row{result.method};
    for (const char* test : {"test_id", "test_ood", "test_unbiased"}) {
      row.push_back(figure(result.evaluations.at(test), "recall@20"));
      row.push_back(figure(result.evaluations.at(test), "ndcg@20"));
    }
    row.push_back(fmt::format("{:.2f} %", 100 * result.figure("test_unbiased", "tail_share@20")));
    row.push_back(fmt::format("{:.1f}", result.seconds));
    table.add(row);
  }
  out("{}", table.text());
}

DemoResult run_method(const Method& method, const std::string& market, const DemoArguments& options,
                      const Settings& demo, const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  train::RunRequest request;
  request.data = market;
  request.out = (std::filesystem::path(options.folder) / method.name).string();
  request.overwrite = true;
  Progress progress(options.quiet, std::string(method.name));
  const nlohmann::json result =
      train::train_run(request, method_settings(method, demo), progress, stop);
  progress.finish();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {std::string(method.name), result.at("evaluations"), took.count()};
}

// The page about all of them; gives its path.
std::string report_methods(const DemoArguments& options, const Settings& demo,
                           const std::atomic<bool>& stop) {
  std::vector<std::string> runs;
  for (const Method& method : methods()) {
    runs.push_back((std::filesystem::path(options.folder) / method.name).string());
  }
  ReportFiles files;
  files.page = (std::filesystem::path(options.folder) / "report.html").string();
  Threads threads(static_cast<int>(demo.integer("threads")));
  write_report(report_on(runs, files, options.quiet, threads, stop), files);
  return files.page;
}

nlohmann::json demo_json(const std::vector<DemoResult>& results, const std::string& page) {
  nlohmann::json all = nlohmann::json::array();
  for (const DemoResult& result : results) {
    all.push_back({{"method", result.method},
                   {"evaluations", result.evaluations},
                   {"seconds", result.seconds}});
  }
  return {{"methods", std::move(all)}, {"verdict", demo_verdict(results)}, {"report", page}};
}

int demo_command(const DemoArguments& options) {
  const Settings demo = options.bound.resolve();
  const StopSignals signals;
  const std::string market = make_demo_market(options, demo);
  std::vector<DemoResult> results;
  for (const Method& method : methods()) {
    try {
      results.push_back(run_method(method, market, options, demo, signals.stop()));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) throw;
      say("evenkeel: the demo was stopped; evenkeel demo starts it again");
      return error.exit_code();
    }
  }
  if (!options.json) {
    out("\n");
    print_table(results);
    out("\n{}\n", demo_verdict(results));
    flush_out();
  }
  const std::string page = report_methods(options, demo, signals.stop());
  if (options.json) {
    out("{}\n", json_text(demo_json(results, page)));
  } else {
    out("\nreport: {}\n", page);
  }
  flush_out();
  write_message("\n");
  say("evenkeel: the runs are in {}; next, try: evenkeel recommend {}/bc --user u17 --k 5",
      options.folder, options.folder);
  return 0;
}

}  // namespace

Action add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoArguments>();
  app.add_option("-o,--out", options->folder, "folder for the market and the runs")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("--quiet", options->quiet, "no progress");
  app.add_flag("--json", options->json, "the figures as one JSON object instead of the table");
  options->bound.add_to(app, "Settings");
  return [options] { return demo_command(*options); };
}

}  // namespace evenkeel::cli
