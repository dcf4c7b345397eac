// In: a report. Out: pictures that are whole, have names of their own and no text over text.
#include "report/svg_figures.h"

#include <gtest/gtest.h>

#include <regex>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/whole_report.h"

namespace evenkeel::testing {
namespace {

struct Box {
  double left, top, right, bottom;
  std::string text;
};

// Boxes of the upright texts of a plot, by an average width of letters; sheets are plots of plots.
std::vector<Box> text_boxes(const std::string& svg) {
  static const std::regex kText(
      R"re(<text x="([-0-9.]+)" y="([-0-9.]+)" text-anchor="(\w+)"([^>]*)>([^<]*)</text>)re");
  std::vector<Box> boxes;
  for (std::sregex_iterator at(svg.begin(), svg.end(), kText), end; at != end; ++at) {
    if ((*at)[4].str().find("rotate") != std::string::npos) continue;
    const bool large = (*at)[4].str().find("14") != std::string::npos;
    const double size = large ? 14 : 12, x = std::stod((*at)[1]), y = std::stod((*at)[2]);
    const std::string text = (*at)[5];
    const double width = 0.52 * size * static_cast<double>(text.size());
    const double left = (*at)[3] == "start" ? x : (*at)[3] == "end" ? x - width : x - width / 2;
    if (!text.empty()) boxes.push_back({left, y - 0.75 * size, left + width, y + 0.2 * size, text});
  }
  return boxes;
}

void expect_readable(const report::Figure& figure) {
  const std::vector<Box> boxes = text_boxes(figure.svg);
  EXPECT_GT(boxes.size(), 3U) << figure.name;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    EXPECT_GE(boxes[a].left, -2) << figure.name << ": " << boxes[a].text;
    EXPECT_LE(boxes[a].right, 660) << figure.name << ": " << boxes[a].text;
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      const double width =
          std::min(boxes[a].right, boxes[b].right) - std::max(boxes[a].left, boxes[b].left);
      const double height =
          std::min(boxes[a].bottom, boxes[b].bottom) - std::max(boxes[a].top, boxes[b].top);
      EXPECT_FALSE(width > 2 && height > 3)
          << figure.name << ": '" << boxes[a].text << "' over '" << boxes[b].text << "'";
    }
  }
}

TEST_F(Report, NoTextOfAFigureLiesOverAnother) {
  for (const report::Figure& figure : report::make_figures(*whole_)) {
    if (!figure.name.starts_with("sheet")) expect_readable(figure);
  }
}

// Many methods with long names: the axis numbers them, and the legend has the names.
TEST_F(Report, ManyLongNamesFindRoom) {
  for (int n = 0; n < 8; ++n) {
    train_small(scratch_->path("data"), scratch_->path(fmt::format("long/{}", n)),
                {{"loss", "bpr"}, {"name", fmt::format("a method with a long name {}", n)}});
  }
  const json report = report_of({scratch_->path("long")});
  for (const report::Figure& figure : report::make_figures(report)) {
    if (figure.name.starts_with("quality") || figure.name.starts_with("groups") ||
        figure.name == "pareto" || figure.name == "fronts" || figure.name == "differences") {
      expect_readable(figure);
    }
  }
}

TEST_F(Report, SheetsHoldTheirPlots) {
  std::size_t sheets = 0;
  for (const report::Figure& figure : report::make_figures(*whole_)) {
    if (!figure.name.starts_with("sheet")) continue;
    ++sheets;
    std::size_t plots = 0;
    for (std::size_t at = figure.svg.find("<svg "); at != std::string::npos;
         at = figure.svg.find("<svg ", at + 1)) {
      ++plots;
    }
    // Itself and: two methods with geometry, two users, spheres and angles; or three margins twice.
    EXPECT_EQ(plots, figure.name == "sheet-geometry" ? 9U : 7U) << figure.name;
  }
  EXPECT_EQ(sheets, 2U);
}

TEST_F(Report, FiguresAreWholeAndTheirNamesDiffer) {
  const std::vector<report::Figure> figures = report::make_figures(*whole_);
  std::set<std::string> names;
  for (const report::Figure& figure : figures) {
    EXPECT_TRUE(figure.svg.starts_with("<svg ")) << figure.name;
    EXPECT_TRUE(figure.svg.ends_with("</svg>\n")) << figure.name;
    EXPECT_EQ(figure.svg.find("nan"), std::string::npos) << figure.name;
    EXPECT_EQ(figure.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos);
    names.insert(figure.name);
  }
  EXPECT_EQ(names.size(), figures.size());
  for (const char* name :
       {"quality-test-a", "groups-test-a", "pareto", "bias-items", "bias-users", "nine-groups",
        "lorenz", "lift", "popularity", "fronts", "differences", "margin-circle", "sheet-geometry",
        "margins-bc", "sphere-bc-head-user-1", "angles-bc-tail-user-5", "training-training-loss"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace evenkeel::testing
