// In: a report. Out: pictures that are whole, have names of their own and no text over text.
#include "report/svg_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/shown_methods.h"
#include "report/svg.h"
#include "report/whole_report.h"

namespace evenkeel::testing {
namespace {

struct Box {
  double left, top, right, bottom;
  std::string text;
};

// A picture's size, or that of the part of a sheet which begins there, and its place.
struct Frame {
  double x = 0, y = 0, width = 0, height = 0;
};

double attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  return at == std::string::npos ? 0 : std::stod(tag.substr(at + name.size() + 3));
}

// Boxes of the upright texts of a picture, by an average width of letters, and its frame. Sheets
// are pictures of pictures: their texts stand where the sheet places them.
std::vector<Box> text_boxes(const std::string& svg, Frame& whole) {
  std::vector<Frame> open;
  std::vector<Box> boxes;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t close = std::min(svg.find('>', at), svg.size() - 1);
    const std::string tag = svg.substr(at + 1, close - at - 1);
    const std::string kind = tag.substr(0, tag.find(' '));
    const std::string text = svg.substr(close + 1, svg.find('<', close) - close - 1);
    if (kind != "svg" && kind != "/svg" && kind != "text") continue;
    if (kind == "/svg") {
      open.pop_back();
    } else if (kind == "svg") {
      Frame frame{attribute(tag, "x"), attribute(tag, "y"), attribute(tag, "width"),
                  attribute(tag, "height")};
      if (open.empty()) {
        whole = frame;
      } else {
        EXPECT_LE(frame.x + frame.width, whole.width + 1) << "a part that leaves its sheet";
        EXPECT_LE(frame.y + frame.height, whole.height + 1);
        frame.x += open.back().x, frame.y += open.back().y;
      }
      open.push_back(frame);
    } else if (tag.find("rotate") == std::string::npos && !text.empty()) {
      const double size = tag.find("font-size=\"14\"") != std::string::npos ? 14 : 12;
      const double x = open.back().x + attribute(tag, "x"), y = open.back().y + attribute(tag, "y");
      const auto letters = static_cast<double>(
          std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
      const double width = 0.52 * size * letters;
      const bool starts = tag.find("\"start\"") != std::string::npos;
      const bool ends = tag.find("\"end\"") != std::string::npos;
      const double left = starts ? x : ends ? x - width : x - width / 2;
      boxes.push_back({left, y - 0.75 * size, left + width, y + 0.2 * size, text});
      // A part of a sheet is cut at its border.
      if (open.size() > 1) {
        EXPECT_LE(left + width, open.back().x + open.back().width) << text;
      }
    }
  }
  return boxes;
}

// Texts that lie over each other or leave the picture.
std::vector<std::string> unreadable(const std::string& svg) {
  Frame whole;
  const std::vector<Box> boxes = text_boxes(svg, whole);
  std::vector<std::string> faults;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    const Box& box = boxes[a];
    if (box.left < -2 || box.right > whole.width + 20 || box.top < -2 ||
        box.bottom > whole.height + 2) {
      faults.push_back("'" + box.text + "' leaves the picture");
    }
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      const double width = std::min(box.right, boxes[b].right) - std::max(box.left, boxes[b].left);
      const double height = std::min(box.bottom, boxes[b].bottom) - std::max(box.top, boxes[b].top);
      if (width > 2 && height > 3) {
        faults.push_back("'" + box.text + "' over '" + boxes[b].text + "'");
      }
    }
  }
  return faults;
}

void expect_readable(const report::Figure& figure) {
  EXPECT_EQ(unreadable(figure.svg), std::vector<std::string>()) << figure.name;
}

TEST(Pictures, TextOverTextIsFound) {
  report::Plot plot("title", {"x", 0, 1}, {"y", 0, 1});
  EXPECT_TRUE(unreadable(plot.svg()).empty());
  plot.text(0.5, 0.5, "one word");
  plot.text(0.52, 0.5, "another");
  EXPECT_EQ(unreadable(plot.svg()).size(), 1U);
}

TEST_F(Report, NoTextOfAFigureLiesOverAnother) {
  for (const report::Figure& figure : report::make_figures(*whole_)) expect_readable(figure);
}

// More methods than colours, with long names: no two that are drawn share a colour, the axis
// numbers them, and the legend has the names.
TEST_F(Report, ManyLongNamesFindRoom) {
  for (int n = 0; n < 10; ++n) {
    train_small(scratch_->path("data"), scratch_->path(fmt::format("long/{}", n)),
                {{"loss", "bpr"}, {"name", fmt::format("a method with a long name {}", n)}});
  }
  const json report = report_of({scratch_->path("long")});
  const auto shown = report::shown_methods(report, report["data_sets"][0]);
  std::set<std::size_t> slots;
  for (const report::ShownMethod& method : shown) slots.insert(method.slot);
  EXPECT_EQ(shown.size(), 6U);
  EXPECT_EQ(slots.size(), shown.size());
  for (const report::Figure& figure : report::make_figures(report)) expect_readable(figure);
}

TEST_F(Report, SheetsHoldTheirPlots) {
  std::map<std::string, std::size_t> plots;
  for (const report::Figure& figure : report::make_figures(*whole_)) {
    if (!figure.name.starts_with("sheet")) continue;
    for (std::size_t at = figure.svg.find("<svg "); at != std::string::npos;
         at = figure.svg.find("<svg ", at + 1)) {
      ++plots[figure.name];
    }
  }
  // Itself and: two methods with geometry, two users, spheres and angles; four margins twice; ...
  EXPECT_EQ(
      plots,
      (std::map<std::string, std::size_t>{
          {"sheet-bias", 4}, {"sheet-geometry", 9}, {"sheet-margins", 9}, {"sheet-results", 5}}));
}

TEST_F(Report, BarsAreMeansOverSeeds) {
  json report = *whole_;
  for (json& method : report["data_sets"][0]["methods"]) {
    for (json& evaluation : method["evaluations"]) evaluation["mean"]["recall"] = 0.9;
  }
  const std::vector<report::Figure> figures = report::make_figures(report);
  const auto quality = std::ranges::find(figures, "quality-test-a", &report::Figure::name);
  ASSERT_NE(quality, figures.end());
  EXPECT_NE(quality->svg.find(">0.8</text>"), std::string::npos) << quality->svg;
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
        "margins-bc", "sphere-head-user-1-bc", "angles-tail-user-5-bc", "training-loss"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace evenkeel::testing
