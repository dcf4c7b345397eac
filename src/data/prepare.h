// The making of prepared data. In: interactions files and the options of reading (and of cutting);
// out: a folder that every command takes where it takes DATA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/threads.h"
#include "data/load.h"

namespace evenkeel::data {

struct PrepareRequest {
  std::vector<std::string> files;  // each may be a pattern with * and ?
  std::string out;
  bool split = false;  // cut now, as `split`, `k-core` and `seed` of the settings say
  bool times = false;  // keep the times of the log
  // Bytes for pairs; more of them go through temporary files beside `out`. Ids stay in memory.
  std::uint64_t memory = std::uint64_t{4} << 30;
};

struct PrepareOutcome {
  LoadReport report;
  std::uint64_t users = 0, items = 0, interactions = 0;
  std::uint64_t bytes = 0;  // of the folder
};

PrepareOutcome prepare(const PrepareRequest& request, const Settings& settings, Threads& threads);

}  // namespace evenkeel::data
