// The report for commands. In: run folders; out: the page and the pictures on disk.
#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/threads.h"

namespace evenkeel::cli {

struct ReportFiles {
  std::string page = "report.html";
  std::string figures;  // folder; empty: none
  std::string titles;   // file with titles of items; empty: none
};

nlohmann::json report_on(const std::vector<std::string>& runs, const ReportFiles& files, bool quiet,
                         Threads& threads, const std::atomic<bool>& stop);

void write_report(const nlohmann::json& report, const ReportFiles& files);

// Whether any run has a figure, an epoch or a model to show.
bool shows_something(const nlohmann::json& report);

void say_notices(const nlohmann::json& report);  // what the reader of the page is told first

}  // namespace evenkeel::cli
