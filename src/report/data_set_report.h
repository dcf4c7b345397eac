// One data set of the report. In: the records of its runs; out: its JSON and that of its runs.
#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/threads.h"
#include "report/loaded_run.h"
#include "report/methods.h"
#include "report/run_detail.h"
#include "report/run_record.h"
#include "train/observer.h"

namespace evenkeel::report {

struct DataSetGroup {
  std::string name, path;
  std::vector<std::size_t> runs;  // indices into the records
  std::vector<MethodGroup> methods;
};

// Runs by the data they were trained from, in order of first appearance; names are unique.
std::vector<DataSetGroup> group_data_sets(const std::vector<RunRecord>& runs);

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct DataSetReport {
  nlohmann::json data_set;                // without methods' findings, which compare all of them
  std::map<std::size_t, RunDetail> runs;  // the detailed ones
  nlohmann::json sampling;
};

// Loads and analyses the runs named in `detailed`; states and problems of records are updated.
DataSetReport report_data_set(const DataSetGroup& group, std::vector<RunRecord>& runs,
                              const std::set<std::size_t>& detailed, const std::string& titles_file,
                              Threads& threads, train::Observer& observer,
                              const std::atomic<bool>& stop);

}  // namespace evenkeel::report
