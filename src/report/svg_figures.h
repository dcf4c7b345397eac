// Pictures for a paper. In: the report's JSON; out: one SVG for each plot of the page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evenkeel::report {

struct Figure {
  std::string name;  // file name without ending: letters, digits, '-'
  std::string svg;
};

std::vector<Figure> make_figures(const nlohmann::json& report);

}  // namespace evenkeel::report
