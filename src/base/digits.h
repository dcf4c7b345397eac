// Numbers for people. In: a count; out: its digits in groups.
#pragma once

#include <cstdint>
#include <string>

namespace evenkeel {

inline std::string grouped_digits(std::uint64_t number) {  // 1,234,567
  std::string digits = std::to_string(number);
  for (std::size_t place = 3; place < digits.size(); place += 4) {
    digits.insert(digits.size() - place, 1, ',');
  }
  return digits;
}

}  // namespace evenkeel
