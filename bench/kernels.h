// Kernels alone, in cache. In: the machine's limits; out: a table and the same as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limits.h"

namespace evenkeel::bench {

nlohmann::json run_kernels(const Limits& limits);

}  // namespace evenkeel::bench
