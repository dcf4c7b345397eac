// Which runs belong together. In: the records of one data set; out: methods (runs that differ in
// nothing but the seed), names that tell them apart, and sweeps.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_record.h"

namespace evenkeel::report {

struct MethodGroup {
  std::string label;
  std::vector<std::size_t> runs;  // indices into the records
};

// `members` are the runs of one data set. Labels are unique among the groups.
std::vector<MethodGroup> group_methods(const std::vector<RunRecord>& runs,
                                       const std::vector<std::size_t>& members);

struct SweepAxis {
  std::string method, key;
  bool numeric = false;
  // NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
  struct Place {
    nlohmann::json value;
    std::vector<std::size_t> runs;
  };
  std::vector<Place> places;  // at least two, ascending where numeric
};

// Runs that differ in one option and the seed alone.
std::vector<SweepAxis> find_sweeps(const std::vector<RunRecord>& runs,
                                   const std::vector<std::size_t>& members);

}  // namespace evenkeel::report
