// What reading found, for people and programs. In: a load report; out: sentences or JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "data/load.h"

namespace evenkeel::cli {

double megabytes_per_second(const ReadReport& report);

// Format, speed, and what was merged, dropped or skipped; to stderr.
void say_read(const LoadReport& report);

nlohmann::json read_json(const LoadReport& report);

}  // namespace evenkeel::cli
