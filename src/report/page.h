// The page around the data. In: the report's JSON; out: one HTML file that needs nothing else.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace evenkeel::report {

// The built page of web/, as it lies in the program.
std::string_view page_template();

// The JSON as text that cannot end its <script> element, whatever ids it holds.
std::string script_safe(const nlohmann::json& data);

std::string make_page(const nlohmann::json& data, std::string_view page = page_template());

}  // namespace evenkeel::report
