// What the demo's numbers say. In: the results; out: sentences computed from them, whoever won.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

inline constexpr const char* kBalancedMethod = "bc-balanced";  // bc with --goal balanced

struct DemoResult {
  std::string method;
  nlohmann::json evaluations;  // by part, as in result.json
  double seconds = 0;

  double figure(const std::string& part, const std::string& key) const;  // 0 where missing
};

std::string demo_verdict(const std::vector<DemoResult>& results);

}  // namespace evenkeel::cli
