// `evaluate RUN... --front`. In: run folders; out: their fronts as a table, CSV and SVG.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"

namespace evenkeel::cli {

struct FrontRequest {
  std::vector<std::string> runs;  // or folders that hold runs
  std::string out;                // OUT.csv and OUT.svg; empty: the table alone
  bool json = false;
};

int front_command(const FrontRequest& request, const Settings& settings);

}  // namespace evenkeel::cli
