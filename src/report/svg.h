// A small plotter. In: numbers in the units of the data; out: SVG text with axes, ticks, labels
// and legend. Colours are told apart by colour-blind readers (Okabe and Ito).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::report {

std::string_view palette(std::size_t n);       // eight colours of methods, then again
std::string_view thing_colour(std::size_t n);  // four of what is no method; both as on the page
inline constexpr std::array<double, 2> kPlotSize{640, 420};  // width and height of every plot
// Letters, digits and single dashes: safe in any file system.
std::string slug(const std::string& text);
std::string svg_text(std::string_view text);  // escaped for SVG; control characters dropped

struct Axis {
  std::string label;
  double low = 0, high = 1;
  bool log = false;
  std::vector<std::string> names = {};  // categories at 0, 1, 2, ... instead of numbers
};

class Plot {
 public:
  Plot(std::string title, Axis x, Axis y);

  using Points = std::vector<std::array<double, 2>>;
  void line(const Points& points, std::string_view colour, bool dashed = false);
  void dots(const Points& points, std::string_view colour, double radius = 2, double opacity = 0.6);
  void bar(double from, double to, double height, std::string_view colour, double opacity = 1);
  void cell(double column, double row, std::string_view colour, const std::string& text);
  void whisker(double x, double low, double high);
  void text(double x, double y, const std::string& words);
  void legend(const std::string& name, std::string_view colour);

  std::string svg() const;

 private:
  double px(double x) const;
  double py(double y) const;
  std::string axes() const;

  std::string title_;
  Axis x_, y_;
  std::string marks_;
  std::vector<std::pair<std::string, std::string>> legend_;  // name and colour
};

// An axis that holds all values, with a little room; logarithmic axes skip what is not positive.
Axis axis_over(std::string label, const std::vector<double>& values, bool from_zero,
               bool log = false);

// Round numbers from low to high, about `wanted` of them.
std::vector<double> round_ticks(double low, double high, int wanted, bool log);

}  // namespace evenkeel::report
