// In: run folders. Out: one HTML page, and pictures when asked for.
#include "report/report.h"

#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/list_filters.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/write_report.h"

namespace evenkeel::cli {
namespace {

struct ReportArguments {
  ReportArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {threads_field()};
    return Settings(list);
  }
  BoundOptions bound;
  ReportFiles files;
  std::vector<std::string> runs;
  bool json = false, quiet = false;
};

// One sentence where no path leads to a run.
[[noreturn]] void refuse_all(const nlohmann::json& report) {
  std::string reasons;
  for (const auto& skipped : report["skipped"]) {
    reasons +=
        fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", skipped["path"].get<std::string>(),
                    skipped["reason"].get<std::string>());
  }
  fail_data("no run was found{}{}; name folders that evenkeel train wrote",
            reasons.empty() ? "" : ": ", reasons);
}

int report_command(const ReportArguments& options) {
  const Settings settings = options.bound.resolve();
  const StopSignals signals;
  Threads threads(static_cast<int>(settings.integer("threads")));
  const nlohmann::json report =
      report_on(options.runs, options.files, options.quiet, threads, signals.stop());
  const bool good = shows_something(report);
  if (options.json) {
    out("{}\n", json_text(report));
  } else if (good) {  // an older page is worth more than one without runs
    write_report(report, options.files);
    out("{}\n", printable(options.files.page));
  }
  flush_out();
  if (!good && report["runs"].empty()) refuse_all(report);
  if (!options.quiet) say_notices(report);
  if (good) return 0;
  fail_data("none of the {} runs has anything to show; name runs that have trained an epoch",
            report["runs"].size());
}

}  // namespace

Action add_report(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  app.add_option("runs", options->runs, "run folders, or folders that hold run folders")
      ->type_name("RUN...");
  app.add_option("-o,--out", options->files.page, "the page to write")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--figures", options->files.figures, "also write every plot as SVG to this folder")
      ->type_name("DIR");
  add_titles(app, options->files.titles);
  app.add_flag("--json", options->json, "print the page's data as one JSON object; no page");
  app.add_flag("--quiet", options->quiet, "no messages");
  options->bound.add_to(app, "Settings");
  return [options] { return report_command(*options); };
}

}  // namespace evenkeel::cli
