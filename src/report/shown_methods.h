// Which methods figures draw, and how. In: the report's JSON; out: at most eight methods of a data
// set with the colours and symbols that the page gives them when it opens.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evenkeel::report {

struct ShownMethod {
  std::size_t index = 0;  // among the data set's methods
  std::string label;
  const nlohmann::json* method = nullptr;
  const nlohmann::json* run = nullptr;            // stands for its seeds; may lack detail
  std::size_t slot = 0;                           // of colour and symbol
  std::vector<const nlohmann::json*> seeds = {};  // all of its runs
};

// All of them, or of more than eight the six that the page shows first (View in web/src/view.ts).
std::vector<ShownMethod> shown_methods(const nlohmann::json& report,
                                       const nlohmann::json& data_set);

}  // namespace evenkeel::report
