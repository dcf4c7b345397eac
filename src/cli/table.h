// A table for people. In: a header and rows of text; out: aligned lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::cli {

class Table {
 public:
  explicit Table(const std::vector<std::string>& header) { add(header); }
  void add(const std::vector<std::string>& row);  // control characters are escaped
  std::string text() const;  // the first column to the left, all others to the right

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string grouped_digits(std::uint64_t number);  // 1,234,567

// 12.3 s, 4 min 05 s, 2 h 03 min
std::string duration_text(double seconds);

// Cut to `width` columns without breaking a UTF-8 sequence.
std::string clipped(std::string_view text, std::size_t width);

}  // namespace evenkeel::cli
