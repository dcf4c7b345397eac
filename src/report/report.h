// The door of the room. In: run folders; out: the report's JSON (web/src/data.ts), from which
// page.h makes the page and figures.h the pictures.
#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/threads.h"
#include "train/observer.h"

namespace evenkeel::report {

struct ReportRequest {
  std::vector<std::string> paths;  // run folders, or folders with run folders inside
  std::string version;             // of the program
  std::string command;             // that writes this report again
  std::string titles = {};         // file with titles of items; empty: none
};

// Never throws for what a run lacks: that is said in the report. An interrupt throws kInterrupted.
nlohmann::json make_report(const ReportRequest& request, Threads& threads,
                           train::Observer& observer, const std::atomic<bool>& stop);

}  // namespace evenkeel::report
