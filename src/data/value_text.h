// In: the value of an option. Out: its text as one would type it, strings without quotes.
#pragma once

#include <string>
#include <variant>

#include "base/settings.h"

namespace evenkeel::data {

inline std::string plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_text(value);
}

}  // namespace evenkeel::data
