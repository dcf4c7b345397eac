// In: axes and text. Out: round ticks and safe SVG.
#include "report/svg.h"

#include <gtest/gtest.h>

#include <cmath>

namespace evenkeel::report {
namespace {

TEST(Ticks, AreRound) {
  EXPECT_EQ(round_ticks(0, 10, 5, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(1, 1000, 5, true), (std::vector<double>{1, 10, 100, 1000}));
  const auto small = round_ticks(0.011, 0.013, 4, false);
  ASSERT_GE(small.size(), 3U);
  EXPECT_NEAR(small[0], 0.011, 1e-12);
  EXPECT_GE(round_ticks(0, 0.42, 2, false).size(), 2U) << "one tick is no scale";
}

TEST(Axis, HoldsEveryValue) {
  const Axis axis = axis_over("x", {3, 7, NAN}, true);
  EXPECT_LE(axis.low, 0);
  EXPECT_GE(axis.high, 7);
  const Axis flat = axis_over("x", {2, 2}, false);
  EXPECT_LT(flat.low, flat.high);
  const Axis none = axis_over("x", {}, false, true);
  EXPECT_LT(none.low, none.high);
}

TEST(Svg, TextIsEscaped) {
  EXPECT_EQ(svg_text("a<b>&\"\n"), "a&lt;b&gt;&amp;&quot;");
  Plot plot("</svg><script>", {"x", 0, 1}, {"y", 0, 1});
  plot.legend("<script>", palette(0));
  plot.line({{0, 0}, {NAN, 1}, {1, 1}}, palette(1));
  const std::string svg = plot.svg();
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace evenkeel::report
