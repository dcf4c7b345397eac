// In: plots by rows. Out: one SVG.
#include "report/sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/paper_plots.h"

namespace evenkeel::report {
namespace {

constexpr double kSide = 24, kTitle = 22, kGap = 8, kKeyHeight = 20;

double width_of(const SheetRow& row) {
  return row.layout.width * static_cast<double>(row.plots.size());
}

struct Legend {
  std::string svg;
  double height = 0;
};

Legend lay_legend(const std::vector<LegendKey>& keys, double top, double width) {
  constexpr std::size_t kLetters = 40;
  Legend legend{"", kKeyHeight};
  double x = kSide;
  for (const LegendKey& key : keys) {
    const auto letters = static_cast<double>(std::min(key.name.size(), kLetters));
    const double wide = 17 + kLetterWidth * letters + 18;
    if (x > kSide && x + wide > width) {
      x = kSide;
      legend.height += kKeyHeight;
    }
    legend.svg += legend_line(key, x, top + legend.height - kKeyHeight, kLetters);
    x += wide;
  }
  return legend;
}

std::string draw_row(SheetRow& row, double y) {
  std::string out;
  if (!row.name.empty()) {
    out += words_at(0, 0, "middle", row.name,
                    fmt::format(R"x( font-weight="bold" transform="translate(14 {:.1f}))x"
                                R"x( rotate(-90)")x",
                                y + row.layout.height / 2));
  }
  for (std::size_t n = 0; n < row.plots.size(); ++n) {
    const double x = kSide + row.layout.width * static_cast<double>(n);
    if (n < row.titles.size()) {
      const auto letters = static_cast<std::size_t>((row.layout.width - 12) / (kLetterWidth * 1.1));
      out += words_at(x + row.layout.left, y - 6, "start", cut_name(row.titles[n], letters),
                      R"( font-weight="bold")");
    }
    Layout layout = row.layout;
    layout.y_label = layout.y_label && (n == 0 || !row.one_y);
    row.plots[n].lay_out(layout);
    out += fmt::format(R"(<svg x="{:.1f}" y="{:.1f}" )", x, y) +
           row.plots[n].svg().substr(std::string_view("<svg ").size());
  }
  return out;
}

}  // namespace

std::string sheet_svg(std::vector<SheetRow> rows, const std::vector<LegendKey>& legend) {
  double width = 0, y = 0;
  for (const SheetRow& row : rows) width = std::max(width, kSide + width_of(row) + kGap);
  std::string body;
  for (SheetRow& row : rows) {
    y += row.titles.empty() ? kGap : kTitle;
    body += draw_row(row, y);
    y += row.layout.height;
  }
  const Legend keys = lay_legend(legend, y + kGap, width);
  const double height = y + 2 * kGap + keys.height;
  return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}")"
                     R"( viewBox="0 0 {0:.0f} {1:.0f}" font-family="Helvetica, Arial, sans-serif")"
                     R"( font-size="12"><rect width="100%" height="100%" fill="white"/>)",
                     width, height) +
         "\n" + body + keys.svg + "</svg>\n";
}

std::string margin_sheet() {
  constexpr std::array kMargins{0.0, 0.3, 0.6, 0.9};
  SheetRow circles{"two dimensions", {}, kSheetBare, {}};
  SheetRow spheres{"three dimensions", {}, kSheetBare, {}};
  for (const double margin : kMargins) {
    circles.titles.push_back(margin == 0 ? "margin 0 (softmax)"
                                         : fmt::format("margin {:.1f} (BC loss)", margin));
    circles.plots.push_back(regions_plot(margin, false));
    spheres.plots.push_back(regions_plot(margin, true));
  }
  const std::vector<LegendKey> keys = circles.plots.front().keys();
  return sheet_svg({std::move(circles), std::move(spheres)}, keys);
}

}  // namespace evenkeel::report
