// In: text. Out: finite numbers and times.
#include "data/numbers.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace evenkeel::data {
namespace {

// Takes exactly `digits` digits off the front.
bool take_digits(std::string_view& text, std::size_t digits, int& value) {
  if (text.size() < digits) return false;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + digits, value);
  if (failure != std::errc() || end != text.data() + digits || value < 0) return false;
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> parse_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0.0;
  const double sign = text.front() == '-' ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  int hours = 0, minutes = 0;
  if (!take_digits(text, 2, hours)) return std::nullopt;
  take(text, ':');
  if (!text.empty() && !take_digits(text, 2, minutes)) return std::nullopt;
  if (!text.empty() || hours > 18 || minutes > 59) return std::nullopt;
  return sign * (hours * 3600.0 + minutes * 60.0);
}

std::optional<double> parse_clock(std::string_view text) {
  int hours = 0, minutes = 0, seconds = 0;
  double fraction = 0;
  if (!take_digits(text, 2, hours) || !take(text, ':') || !take_digits(text, 2, minutes)) {
    return std::nullopt;
  }
  if (take(text, ':')) {
    if (!take_digits(text, 2, seconds)) return std::nullopt;
    double unit = 0.1;
    if (take(text, '.')) {
      for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; unit /= 10) {
        fraction += (text.front() - '0') * unit;
        text.remove_prefix(1);
      }
    }
  }
  if (hours > 24 || minutes > 59 || seconds > 60) return std::nullopt;
  const auto zone = parse_zone(text);
  if (!zone) return std::nullopt;
  return hours * 3600.0 + minutes * 60.0 + seconds + fraction - *zone;
}

}  // namespace

std::optional<double> parse_finite(std::string_view text) {
  // Most ratings and times are short whole numbers, which need no from_chars.
  if (!text.empty() && text.size() <= 15) {
    std::int64_t whole = 0;
    std::size_t n = 0;
    for (; n < text.size() && text[n] >= '0' && text[n] <= '9'; ++n) {
      whole = whole * 10 + (text[n] - '0');
    }
    if (n == text.size()) return static_cast<double>(whole);
  }
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> parse_weight(std::string_view text) {
  const auto weight = parse_finite(text);
  return weight && *weight >= 0 && *weight <= kMostWeight ? weight : std::nullopt;
}

std::optional<double> parse_time(std::string_view text) {
  if (const auto number = parse_finite(text)) return number;
  int year = 0, month = 0, day = 0;
  if (!take_digits(text, 4, year) || !take(text, '-') || !take_digits(text, 2, month) ||
      !take(text, '-') || !take_digits(text, 2, day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.empty()) return days * 86400;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto clock = parse_clock(text);
  if (!clock) return std::nullopt;
  return days * 86400 + *clock;
}

}  // namespace evenkeel::data
