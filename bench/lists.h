// One list out of very many items. In: how many, made up; out: how long an exact and an approximate
// list of 20 take on one thread, and how much of the exact ones the approximate ones hold.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace evenkeel::bench {

nlohmann::json run_lists(std::size_t items);

}  // namespace evenkeel::bench
