// A small plotter. In: numbers in the units of the data; out: SVG text with axes, ticks, labels
// and legend. Colours are told apart by colour-blind readers (Okabe and Ito), and symbols differ
// too.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::report {

std::string_view palette(std::size_t n);       // eight colours of methods, then again
std::string_view thing_colour(std::size_t n);  // four of what is no method; both as on the page
std::string_view symbol(std::size_t n);        // eight shapes of methods in a box of 12, as there
std::string svg_text(std::string_view text);   // escaped for SVG; control characters dropped

struct Axis {
  std::string label;
  double low = 0, high = 1;
  bool log = false;
  std::vector<std::string> names = {};  // categories at 0, 1, 2, ... instead of numbers
  bool root = false;                    // square roots: small values keep room beside large ones
};

// Where things are in a plot, in pixels, and which of them it has.
struct Layout {
  double width = 640, height = 420;
  double left = 74, right = 150, top = 40, bottom = 62;  // around the marks
  bool title = true, axes = true, legend = true;         // without axes their labels stay
  bool x_label = true, y_label = true;
  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
};

struct LegendKey {
  std::string name, colour;
  std::string_view symbol;  // a path in a box of 12
};

class Plot {
 public:
  Plot(std::string title, Axis x, Axis y, Layout layout = {});
  void lay_out(const Layout& layout) { layout_ = layout; }

  using Points = std::vector<std::array<double, 2>>;
  void line(const Points& points, std::string_view colour, bool dashed = false);
  void dots(const Points& points, std::string_view colour, double radius = 2, double opacity = 0.6);
  void marker(double x, double y, std::size_t slot, bool filled = true);  // of a method
  void area(const Points& border, std::string_view colour);
  void bar(double from, double to, double height, std::string_view colour, double opacity = 1);
  void cell(double column, double row, std::string_view colour, const std::string& text,
            std::string_view ink);
  void whisker(double x, double low, double high);
  void text(double x, double y, const std::string& words, std::string_view anchor = "start");
  void legend(const std::string& name, std::string_view colour);
  void legend_of(const std::string& name, std::size_t slot);  // of a method, with its symbol

  std::string svg() const;
  const std::vector<LegendKey>& keys() const { return legend_; }

 private:
  double px(double x) const;
  double py(double y) const;
  std::string axes() const;
  std::string labels() const;
  std::string legend_text() const;

  std::string title_;
  Axis x_, y_;
  Layout layout_;
  std::vector<std::function<std::string(const Plot&)>> marks_;  // drawn once the layout is known
  std::vector<LegendKey> legend_;
};

// One line of a legend with its sign, from (x, y) to the right.
std::string legend_line(const LegendKey& key, double x, double y, std::size_t letters);
// A text of a picture, and a name cut to so many letters.
std::string words_at(double x, double y, std::string_view anchor, const std::string& text,
                     std::string_view more = "");
std::string cut_name(const std::string& name, std::size_t letters);
inline constexpr double kLetterWidth = 6.6;  // on average, at 12 pixels

// An axis that holds all values, with a little room; logarithmic axes skip what is not positive.
Axis axis_over(std::string label, const std::vector<double>& values, bool from_zero,
               bool log = false);

// Round numbers from low to high, about `wanted` of them.
std::vector<double> round_ticks(double low, double high, int wanted, bool log);

}  // namespace evenkeel::report
