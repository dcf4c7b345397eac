// In: /proc. Out: a few words about the machine.
#include "experiment/machine.h"

#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "base/threads.h"
#include "train/run_result.h"

namespace evenkeel::experiment {

nlohmann::json machine_json() {
  const std::string processor = train::processor();
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return {{"processor", processor.empty() ? "unknown processor" : processor},
          {"cores", available_cores()},
          {"memory_gb", std::round(bytes / 1e9)}};
}

}  // namespace evenkeel::experiment
