// What the figures of cost.json were measured on. In: nothing; out: processor, cores, memory.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace evenkeel::experiment {

nlohmann::json machine_json();  // {"processor": "...", "cores": 2, "memory_gb": 8}

}  // namespace evenkeel::experiment
