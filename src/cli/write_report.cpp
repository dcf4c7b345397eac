// In: run folders and where to write. Out: the report's data, its page, its pictures.
#include "cli/write_report.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/console.h"
#include "cli/progress.h"
#include "io/atomic_file.h"
#include "report/page.h"
#include "report/report.h"
#include "report/run_record.h"
#include "report/svg_figures.h"

namespace evenkeel::cli {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    fail_run("{}: cannot make the folder ({}); choose another", folder.string(), failure.message());
  }
}

std::string command_line(const std::vector<std::string>& runs, const ReportFiles& files) {
  std::string line = "evenkeel report";
  const auto word = [](const std::string& path) {
    return report::shell_word(report::shown_path(path));
  };
  for (const std::string& run : runs) line += " " + word(run);
  line += " --out " + word(files.page);
  if (!files.figures.empty()) line += " --figures " + word(files.figures);
  if (!files.titles.empty()) line += " --titles " + word(files.titles);
  return line;
}

}  // namespace

nlohmann::json report_on(const std::vector<std::string>& runs, const ReportFiles& files, bool quiet,
                         Threads& threads, const std::atomic<bool>& stop) {
  Progress progress(quiet, "report");
  nlohmann::json report = report::make_report(
      {runs, EVENKEEL_VERSION, command_line(runs, files), files.titles}, threads, progress, stop);
  progress.finish();
  return report;
}

void write_report(const nlohmann::json& report, const ReportFiles& files) {
  const fs::path page(files.page);
  if (page.empty()) fail_config("--out is empty; name the page to write");
  std::error_code ignored;
  if (fs::is_directory(page, ignored)) {
    fail_config("{} is a folder; name the page to write, as in --out {}", files.page,
                (page / "report.html").string());
  }
  // All that may fail comes before the page, so that on an error the old one is still there.
  const std::string html = report::make_page(report);
  const auto figures =
      files.figures.empty() ? std::vector<report::Figure>() : report::make_figures(report);
  if (page.has_parent_path()) make_folder(page.parent_path());
  if (!files.figures.empty()) make_folder(files.figures);
  for (const report::Figure& figure : figures) {
    io::write_file_atomically((fs::path(files.figures) / (figure.name + ".svg")).string(),
                              figure.svg);
  }
  io::write_file_atomically(files.page, html, io::Links::kFollow);
}

bool shows_something(const nlohmann::json& report) {
  return std::any_of(report["runs"].begin(), report["runs"].end(), [](const auto& run) {
    return run["detailed"] == true || !run["evaluations"].empty() || !run["training"].empty();
  });
}

void say_notices(const nlohmann::json& report) {
  for (const auto& notice : report["notices"]) say("evenkeel: {}", notice.get<std::string>());
  for (const auto& skipped : report["skipped"]) {
    say("evenkeel: {}: {}", skipped["path"].get<std::string>(),
        skipped["reason"].get<std::string>());
  }
}

}  // namespace evenkeel::cli
