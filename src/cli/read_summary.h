// Reading, for people and programs. In: words for DATA, a load report; out: sentences or JSON.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/option_binding.h"
#include "data/load.h"

namespace evenkeel::cli {

// Refuses options of cutting a file that are given for a folder of parts, also where the word is
// the default and would change nothing.
void refuse_for_folder(const BoundOptions& bound, const std::string& data,
                       std::initializer_list<std::string_view> options);

double megabytes_per_second(const data::ReadReport& report);

// Format, speed, and what was merged, dropped or skipped; to stderr.
void say_read(const data::LoadReport& report);

nlohmann::json read_json(const data::LoadReport& report);

}  // namespace evenkeel::cli
