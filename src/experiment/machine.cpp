// In: /proc. Out: a few words about the machine.
#include "experiment/machine.h"

#include <unistd.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/threads.h"

namespace evenkeel::experiment {

nlohmann::json machine_json() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(line.find(':') + 2);
    break;
  }
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return {{"processor", processor},
          {"cores", available_cores()},
          {"memory_gb", std::round(bytes / 1e9)}};
}

}  // namespace evenkeel::experiment
