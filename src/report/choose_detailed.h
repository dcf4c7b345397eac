// Which runs a report shows in detail. In: the runs of each data set; out: the few that are
// analysed.
#pragma once

#include <set>
#include <vector>

#include "report/data_set_report.h"

namespace evenkeel::report {

inline constexpr std::size_t kMostDetailed = 12;

// In turn from each data set, and there from each method its first run, then second seeds.
std::set<std::size_t> choose_detailed(const std::vector<DataSetGroup>& groups,
                                      const std::vector<RunRecord>& runs);

}  // namespace evenkeel::report
