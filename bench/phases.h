// How the cost of every phase grows with the data. In: lines of the smallest log; out: a table of
// seconds for 1, 2, 4 and 8 times as many users, items and interactions.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace evenkeel::bench {

// Files go beside `path` and are removed.
nlohmann::json run_phases(const std::string& path, std::size_t lines, int threads);

}  // namespace evenkeel::bench
