// In: figures and ids of any size. Out: what the page can carry.
#include "report/numbers.h"

#include <fmt/format.h>

#include <cstdlib>

#include "io/json_text.h"

namespace evenkeel::report {
namespace {

constexpr std::size_t kMostIdBytes = 200;

}  // namespace

nlohmann::json number(double value) {
  if (!std::isfinite(value)) return {};
  const double kept = std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr);
  // Whole numbers without ".0": a quarter fewer bytes in the tables of the page.
  if (std::abs(kept) < 1e15 && kept == std::floor(kept)) return static_cast<std::int64_t>(kept);
  return kept;
}

std::string share_text(double share) {
  if (!(share > 0)) return "0 %";
  const double percent = 100 * share;
  return percent < 0.005 ? "< 0.01 %" : fmt::format("{:.{}f} %", percent, percent < 0.95 ? 2 : 1);
}

nlohmann::json rounded(const nlohmann::json& value) {
  if (value.is_number_float()) return number(value.get<double>());
  if (!value.is_structured()) return value;
  nlohmann::json out = value;
  for (auto& element : out) element = rounded(element);
  return out;
}

std::string short_id(std::string_view id) {
  std::string text(id.substr(0, kMostIdBytes));
  if (id.size() > kMostIdBytes) {
    // Not in the middle of a character: bytes 10xxxxxx go on with the one before.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) {
      text.pop_back();
    }
    if (!text.empty()) text.pop_back();
    text += "\xE2\x80\xA6";
  }
  // Bytes that are not UTF-8 become the replacement character.
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return io::parse_json(quoted).get<std::string>();
}

std::vector<std::size_t> spread_places(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  if (count <= most) {
    for (std::size_t n = 0; n < count; ++n) places.push_back(n);
    return places;
  }
  if (most == 1) return {0};
  for (std::size_t n = 0; n < most; ++n) places.push_back(n * (count - 1) / (most - 1));
  return places;
}

}  // namespace evenkeel::report
