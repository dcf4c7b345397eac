// In: marks in data units. Out: SVG.
#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenkeel::report {
namespace {

constexpr std::size_t kMostLetters = 18, kMostTitle = 78;

// 0..1 along the axis.
double along(const Axis& axis, double value) {
  const auto place = [&](double x) {
    if (axis.log) return std::log(std::max(x, axis.low));
    return axis.root ? std::sqrt(std::max(x, 0.0)) : x;
  };
  return (place(value) - place(axis.low)) / (place(axis.high) - place(axis.low));
}

// Whether the names of an axis along the bottom leave each other room.
bool names_fit(const Axis& axis, double width) {
  const double slot = width / static_cast<double>(std::max<std::size_t>(axis.names.size(), 1));
  return std::all_of(axis.names.begin(), axis.names.end(), [&](const std::string& name) {
    return kLetterWidth * static_cast<double>(std::min(name.size(), kMostLetters)) <= slot;
  });
}

// On a scale of roots equal steps would crowd at one end.
std::vector<double> root_ticks(const Axis& axis, double pixels) {
  std::vector<double> ticks;
  double last = -INFINITY;
  for (const double tick : {0., 0.5, 1., 2., 5., 10., 20., 50., 100., 200., 500., 1000.}) {
    const double place = pixels * along(axis, tick);
    if (tick < axis.low || tick > axis.high || place < last + 22) continue;
    ticks.push_back(tick);
    last = place;
  }
  return ticks;
}

std::vector<double> ticks_of(const Axis& axis, double pixels, double each) {
  std::vector<double> ticks;
  for (std::size_t n = 0; n < axis.names.size(); ++n) ticks.push_back(static_cast<double>(n));
  if (!ticks.empty()) return ticks;
  if (axis.root) return root_ticks(axis, pixels);
  return round_ticks(axis.low, axis.high, std::clamp(static_cast<int>(pixels / each), 2, 6),
                     axis.log);
}

}  // namespace

std::string cut_name(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "\xE2\x80\xA6";
}

std::string words_at(double x, double y, std::string_view anchor, const std::string& text,
                     std::string_view more) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)", x, y, anchor,
                     more, svg_text(text)) +
         "\n";
}

std::string legend_line(const LegendKey& key, double x, double y, std::size_t letters) {
  return fmt::format(R"x(<path transform="translate({:.1f} {:.1f})" d="{}" fill="{}"/>)x", x, y,
                     key.symbol, key.colour) +
         words_at(x + 17, y + 10, "start", cut_name(key.name, letters));
}

std::string_view palette(std::size_t n) {
  constexpr std::string_view kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                           "#E69F00", "#56B4E9", "#4A4A4A", "#A39A00"};
  return kColours[n % std::size(kColours)];
}

std::string_view thing_colour(std::size_t n) {
  constexpr std::string_view kColours[] = {"#5B4B8A", "#8A6A12", "#7A3B46", "#3F6652"};
  return kColours[n % std::size(kColours)];
}

std::string_view symbol(std::size_t n) {
  constexpr std::string_view kShapes[] = {
      "M6 1.5a4.5 4.5 0 1 0 0.01 0z",
      "M2 2h8v8h-8z",
      "M6 1l5 9.5h-10z",
      "M6 0l3.6 6-3.6 6-3.6-6z",
      "M6 0l1.5 4.2 4.5.2-3.5 2.7 1.2 4.4-3.7-2.5-3.7 2.5 1.2-4.4-3.5-2.7 4.5-.2z",
      "M4.2 1h3.6v3.2h3.2v3.6h-3.2v3.2h-3.6v-3.2h-3.2v-3.6h3.2z",
      "M6 .6l4.7 2.7v5.4l-4.7 2.7-4.7-2.7v-5.4z",
      "M4.7 11v-4.3l-3.7-2.1 1.3-2.3 3.7 2.2 3.7-2.2 1.3 2.3-3.7 2.1v4.3z"};
  return kShapes[n % std::size(kShapes)];
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
  if (last <= first && wanted < 8) return round_ticks(low, high, 2 * wanted, false);  // no scale
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

Plot::Plot(std::string title, Axis x, Axis y, Layout layout)
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)), layout_(layout) {}

double Plot::px(double x) const {
  return layout_.left + layout_.plot_width() * along(x_, x);
}
double Plot::py(double y) const {
  return layout_.top + layout_.plot_height() * (1 - along(y_, y));
}

void Plot::line(const Points& points, std::string_view colour, bool dashed) {
  marks_.emplace_back([=, colour = std::string(colour)](const Plot& plot) {
    std::string path;
    for (const auto& [x, y] : points) {
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      path += fmt::format("{}{:.1f},{:.1f} ", path.empty() ? "M" : "L", plot.px(x), plot.py(y));
    }
    return fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.6"{}/>)", path,
                       colour, dashed ? R"( stroke-dasharray="5 4")" : "") +
           "\n";
  });
}

void Plot::area(const Points& border, std::string_view colour) {
  marks_.emplace_back([=, colour = std::string(colour)](const Plot& plot) {
    std::string path;
    for (const auto& [x, y] : border) {
      path += fmt::format("{:.1f},{:.1f} ", plot.px(x), plot.py(y));
    }
    return fmt::format(R"(<polygon points="{}" fill="{}"/>)", path, colour) + "\n";
  });
}

void Plot::dots(const Points& points, std::string_view colour, double radius, double opacity) {
  marks_.emplace_back([=, colour = std::string(colour)](const Plot& plot) {
    std::string out = fmt::format(R"(<g fill="{}" fill-opacity="{}">)", colour, opacity);
    for (const auto& [x, y] : points) {
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      out += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}"/>)", plot.px(x), plot.py(y),
                         radius);
    }
    return out + "</g>\n";
  });
}

void Plot::marker(double x, double y, std::size_t slot, bool filled) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  marks_.emplace_back([=](const Plot& plot) {
    return fmt::format(
               R"x(<path transform="translate({:.1f} {:.1f})" d="{}" fill="{}" stroke="{}"/>)x",
               plot.px(x) - 6, plot.py(y) - 6, symbol(slot), filled ? palette(slot) : "white",
               palette(slot)) +
           "\n";
  });
}

void Plot::bar(double from, double to, double height, std::string_view colour, double opacity) {
  if (!std::isfinite(height)) return;
  marks_.emplace_back([=, colour = std::string(colour)](const Plot& plot) {
    const double top = std::min(plot.py(height), plot.py(0));
    const double bottom = std::max(plot.py(height), plot.py(0));
    return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}")"
                       R"( fill-opacity="{}"/>)",
                       plot.px(from), top, plot.px(to) - plot.px(from), bottom - top, colour,
                       opacity) +
           "\n";
  });
}

void Plot::cell(double column, double row, std::string_view colour, const std::string& text,
                std::string_view ink) {
  const std::string fill = fmt::format(R"( fill="{}")", ink);
  marks_.emplace_back([=, colour = std::string(colour)](const Plot& plot) {
    const double left = plot.px(column - 0.5), right = plot.px(column + 0.5);
    const double top = plot.py(row + 0.5), bottom = plot.py(row - 0.5);
    return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}")"
                       R"( stroke="white"/>)",
                       left, top, right - left, bottom - top, colour) +
           "\n" + words_at((left + right) / 2, (top + bottom) / 2 + 4, "middle", text, fill);
  });
}

void Plot::whisker(double x, double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return;
  marks_.emplace_back([=](const Plot& plot) {
    return fmt::format(R"(<path d="M{0:.1f},{1:.1f} V{2:.1f} M{3:.1f},{1:.1f} h6 M{3:.1f},{2:.1f})"
                       R"( h6" stroke="#333" fill="none"/>)",
                       plot.px(x), plot.py(low), plot.py(high), plot.px(x) - 3) +
           "\n";
  });
}

void Plot::text(double x, double y, const std::string& label, std::string_view anchor) {
  marks_.emplace_back([=, anchor = std::string(anchor)](const Plot& plot) {
    return words_at(plot.px(x), plot.py(y) + 4, anchor, label);
  });
}

void Plot::legend(const std::string& name, std::string_view colour) {
  legend_.push_back({name, std::string(colour), symbol(1)});
}

void Plot::legend_of(const std::string& name, std::size_t slot) {
  legend_.push_back({name, std::string(palette(slot)), symbol(slot)});
}

std::string Plot::axes() const {
  std::string out;
  const double left = layout_.left, bottom = layout_.top + layout_.plot_height();
  const auto number = [](double tick) {
    return (tick < 0 ? "\xE2\x88\x92" : "") + fmt::format("{:.6g}", std::abs(tick));
  };
  const bool fit = names_fit(x_, layout_.plot_width());
  for (const double tick : ticks_of(x_, layout_.plot_width(), 42)) {
    out += fmt::format(R"(<path d="M{:.1f},{:.1f} v5" stroke="#333"/>)", px(tick), bottom);
    // Names without room for them become numbers, which the legend explains.
    out += words_at(px(tick), bottom + 18, "middle",
                    x_.names.empty() ? number(tick)
                    : fit ? cut_name(x_.names[static_cast<std::size_t>(tick)], kMostLetters)
                          : fmt::format("{:.0f}", tick + 1));
  }
  const auto letters = static_cast<std::size_t>(std::max(4.0, (left - 12) / kLetterWidth));
  for (const double tick : ticks_of(y_, layout_.plot_height(), 30)) {
    out += fmt::format(R"(<path d="M{:.1f},{:.1f} h-5" stroke="#333"/>)", left, py(tick));
    if (y_.names.empty()) {
      out += fmt::format(R"(<path d="M{:.1f},{:.1f} h{:.1f}" stroke="#e4e4e4"/>)", left, py(tick),
                         layout_.plot_width());
    }
    out += words_at(left - 8, py(tick) + 4, "end",
                    y_.names.empty() ? number(tick)
                                     : cut_name(y_.names[static_cast<std::size_t>(tick)], letters));
  }
  return out +
         fmt::format(R"(<path d="M{0:.1f},{1:.1f} V{2:.1f} H{3:.1f}" fill="none" stroke="#333"/>)",
                     left, layout_.top, bottom, left + layout_.plot_width()) +
         "\n";
}

std::string Plot::labels() const {
  std::string out;
  const double middle = layout_.left + layout_.plot_width() / 2;
  const double upright = layout_.top + layout_.plot_height() / 2;
  if (!x_.label.empty() && layout_.x_label) {
    out +=
        words_at(middle, layout_.height - std::min(18.0, layout_.bottom / 4), "middle", x_.label);
  }
  if (!y_.label.empty() && layout_.y_label) {
    out += words_at(0, 0, "middle", y_.label,
                    fmt::format(R"x( transform="translate(14 {:.1f}) rotate(-90)")x", upright));
  }
  return out;
}

std::string Plot::legend_text() const {
  std::string out;
  const double x = layout_.width - layout_.right + 12;
  double y = layout_.top + 6;
  for (const LegendKey& key : legend_) {
    out += legend_line(key, x, y, kMostLetters);
    y += 18;
  }
  const bool fit = names_fit(x_, layout_.plot_width());
  for (std::size_t n = 0; !fit && n < x_.names.size(); ++n, y += 18) {
    out += words_at(x, y + 10, "start",
                    fmt::format("{} {}", n + 1, cut_name(x_.names[n], kMostLetters)));
  }
  return out;
}

std::string Plot::svg() const {
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")"
      R"( font-family="Helvetica, Arial, sans-serif" font-size="12">)",
      layout_.width, layout_.height);
  out +=
      "\n"
      R"(<rect width="100%" height="100%" fill="white"/>)"
      "\n";
  if (layout_.title) {
    out += words_at(16, 22, "start", cut_name(title_, kMostTitle),
                    R"( font-size="14" font-weight="bold")");
  }
  if (layout_.axes) out += axes();
  out += labels();
  for (const auto& mark : marks_) out += mark(*this);
  if (layout_.legend) out += legend_text();
  return out + "</svg>\n";
}

}  // namespace evenkeel::report
