// Sheets: several plots in one picture, with one legend, as papers print them. In: plots; out: SVG.
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"

namespace evenkeel::report {

struct SheetRow {
  std::string name;                 // at the left, upright; may be empty
  std::vector<std::string> titles;  // above the plots; empty where the row above says it
  Layout layout;                    // of each plot
  std::vector<Plot> plots;
  bool one_y = false;  // the first plot names the axis of all
};

// The legend is below all, as wide as the sheet, in as many lines as it needs.
std::string sheet_svg(std::vector<SheetRow> rows, const std::vector<LegendKey>& legend);

// What softmax and BC loss ask for as margins grow, on a circle and on a sphere.
std::string margin_sheet();

// Plots of a sheet: with axes and their numbers, or with nothing but marks.
inline constexpr Layout kSheetPlot{300, 220, 62, 12, 10, 46, false, true, false};
inline constexpr Layout kSheetBare{220, 220, 8, 8, 8, 8, false, false, false, false, false};

}  // namespace evenkeel::report
