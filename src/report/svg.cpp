// In: marks in data units. Out: SVG.
#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace evenkeel::report {
namespace {

constexpr double kWidth = kPlotSize[0], kHeight = kPlotSize[1];
constexpr double kLeft = 74, kRight = 150, kTop = 40, kBottom = 62;
constexpr double kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;
constexpr std::size_t kMostLetters = 18, kMostTitle = 78;
constexpr double kLetter = 6.6;  // width of a letter, on average

// 0..1 along the axis.
double along(const Axis& axis, double value) {
  if (axis.log) {
    const double low = std::log(axis.low), high = std::log(axis.high);
    return (std::log(std::max(value, axis.low)) - low) / (high - low);
  }
  return (value - axis.low) / (axis.high - axis.low);
}

std::string cut(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "\xE2\x80\xA6";
}

std::string label_of(const Axis& axis, double tick) {
  if (axis.names.empty()) return fmt::format("{:.6g}", tick);
  return cut(axis.names[static_cast<std::size_t>(tick)], kMostLetters);
}

// Whether the names of an axis along the bottom leave each other room.
bool names_fit(const Axis& axis) {
  const double slot = kPlotWidth / static_cast<double>(std::max<std::size_t>(axis.names.size(), 1));
  return std::all_of(axis.names.begin(), axis.names.end(), [&](const std::string& name) {
    return kLetter * static_cast<double>(std::min(name.size(), kMostLetters)) <= slot;
  });
}

std::vector<double> ticks_of(const Axis& axis) {
  if (axis.names.empty()) return round_ticks(axis.low, axis.high, 6, axis.log);
  std::vector<double> ticks;
  for (std::size_t n = 0; n < axis.names.size(); ++n) ticks.push_back(static_cast<double>(n));
  return ticks;
}

std::string words(double x, double y, std::string_view anchor, const std::string& text,
                  std::string_view more = "") {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)", x, y, anchor,
                     more, svg_text(text)) +
         "\n";
}

}  // namespace

std::string_view palette(std::size_t n) {
  constexpr std::string_view kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                           "#E69F00", "#56B4E9", "#4A4A4A", "#A39A00"};
  return kColours[n % std::size(kColours)];
}

std::string_view thing_colour(std::size_t n) {
  constexpr std::string_view kColours[] = {"#5B4B8A", "#8A6A12", "#7A3B46", "#3F6652"};
  return kColours[n % std::size(kColours)];
}

std::string svg_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

std::string slug(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == 60) break;
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "x" : out;
}

std::vector<double> round_ticks(double low, double high, int wanted, bool log) {
  std::vector<double> ticks;
  if (log) {
    const auto first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const auto last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    for (int power = first; power <= last; ++power) ticks.push_back(std::pow(10, power));
    if (ticks.size() >= 2) return ticks;
    ticks.clear();
  }
  const double rough = (high - low) / wanted;
  const double unit = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * unit;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * unit >= rough) step = factor * unit;
  }
  const auto first = std::llround(std::ceil(low / step - 1e-9));
  const auto last = std::llround(std::floor(high / step + 1e-9));
  for (auto k = first; k <= last; ++k) ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

Axis axis_over(std::string label, const std::vector<double>& values, bool from_zero, bool log) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = high = 1;
  if (from_zero && !log) low = std::min(low, 0.0), high = std::max(high, 0.0);
  if (log) return {std::move(label), low / 1.1, high * 1.1, true, {}};
  if (low == high) low -= 0.5, high += 0.5;
  const double room = 0.05 * (high - low);
  if (low != 0) low -= room;
  return {std::move(label), low, high + room, false, {}};
}

Plot::Plot(std::string title, Axis x, Axis y)
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

double Plot::px(double x) const {
  return kLeft + kPlotWidth * along(x_, x);
}
double Plot::py(double y) const {
  return kTop + kPlotHeight * (1 - along(y_, y));
}

void Plot::line(const Points& points, std::string_view colour, bool dashed) {
  std::string path;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    path += fmt::format("{}{:.1f},{:.1f} ", path.empty() ? "M" : "L", px(x), py(y));
  }
  marks_ += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.6"{}/>)", path,
                        colour, dashed ? R"( stroke-dasharray="5 4")" : "") +
            "\n";
}

void Plot::dots(const Points& points, std::string_view colour, double radius, double opacity) {
  marks_ += fmt::format(R"(<g fill="{}" fill-opacity="{}">)", colour, opacity);
  for (const auto& [x, y] : points) {
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    marks_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}"/>)", px(x), py(y), radius);
  }
  marks_ += "</g>\n";
}

void Plot::bar(double from, double to, double height, std::string_view colour, double opacity) {
  if (!std::isfinite(height)) return;
  const double top = std::min(py(height), py(0)), bottom = std::max(py(height), py(0));
  marks_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}")"
                        R"( fill-opacity="{}"/>)",
                        px(from), top, px(to) - px(from), bottom - top, colour, opacity) +
            "\n";
}

void Plot::cell(double column, double row, std::string_view colour, const std::string& text) {
  const double left = px(column - 0.5), right = px(column + 0.5);
  const double top = py(row + 0.5), bottom = py(row - 0.5);
  marks_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}")"
                        R"( stroke="white"/>)",
                        left, top, right - left, bottom - top, colour) +
            "\n" + words((left + right) / 2, (top + bottom) / 2 + 4, "middle", text);
}

void Plot::whisker(double x, double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return;
  marks_ += fmt::format(R"(<path d="M{0:.1f},{1:.1f} V{2:.1f} M{3:.1f},{1:.1f} h6 M{3:.1f},{2:.1f})"
                        R"( h6" stroke="#333" fill="none"/>)",
                        px(x), py(low), py(high), px(x) - 3) +
            "\n";
}

void Plot::text(double x, double y, const std::string& label) {
  marks_ += words(px(x) + 6, py(y) - 4, "start", label);
}

void Plot::legend(const std::string& name, std::string_view colour) {
  legend_.emplace_back(name, colour);
}

std::string Plot::axes() const {
  std::string out;
  const double bottom = kTop + kPlotHeight;
  for (const double tick : ticks_of(x_)) {
    out += fmt::format(R"(<path d="M{:.1f},{:.1f} v5" stroke="#333"/>)", px(tick), bottom);
    // Names without room for them become numbers, which the legend explains.
    out += words(px(tick), bottom + 18, "middle",
                 names_fit(x_) ? label_of(x_, tick) : fmt::format("{:.0f}", tick + 1));
  }
  for (const double tick : ticks_of(y_)) {
    out += fmt::format(R"(<path d="M{:.1f},{:.1f} h-5" stroke="#333"/>)", kLeft, py(tick));
    if (y_.names.empty()) {
      out += fmt::format(R"(<path d="M{:.1f},{:.1f} h{:.1f}" stroke="#e4e4e4"/>)", kLeft, py(tick),
                         kPlotWidth);
    }
    out += words(kLeft - 8, py(tick) + 4, "end", label_of(y_, tick));
  }
  out += fmt::format(R"(<path d="M{0:.1f},{1:.1f} V{2:.1f} H{3:.1f}" fill="none" stroke="#333"/>)",
                     kLeft, kTop, bottom, kLeft + kPlotWidth) +
         "\n";
  out += words(kLeft + kPlotWidth / 2, kHeight - 18, "middle", x_.label);
  out += words(
      0, 0, "middle", y_.label,
      fmt::format(R"x( transform="translate(16 {:.1f}) rotate(-90)")x", kTop + kPlotHeight / 2));
  return out;
}

std::string Plot::svg() const {
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")"
      R"( font-family="Helvetica, Arial, sans-serif" font-size="12">)",
      kWidth, kHeight);
  out +=
      "\n"
      R"(<rect width="100%" height="100%" fill="white"/>)"
      "\n";
  out += words(16, 22, "start", cut(title_, kMostTitle), R"( font-size="14" font-weight="bold")");
  out += axes() + marks_;
  double y = kTop + 6;
  for (const auto& [name, colour] : legend_) {
    out += fmt::format(R"(<rect x="{}" y="{}" width="11" height="11" fill="{}"/>)",
                       kWidth - kRight + 12, y, colour);
    out += words(kWidth - kRight + 28, y + 10, "start", label_of({"", 0, 1, false, {name}}, 0));
    y += 18;
  }
  for (std::size_t n = 0; !names_fit(x_) && n < x_.names.size(); ++n, y += 18) {
    out += words(kWidth - kRight + 12, y + 10, "start",
                 fmt::format("{} {}", n + 1, cut(x_.names[n], kMostLetters)));
  }
  return out + "</svg>\n";
}

}  // namespace evenkeel::report
