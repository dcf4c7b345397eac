// Ids "0", "1", ...: for data sets made by hand.
#pragma once

#include <string>

#include "data/ids.h"

namespace evenkeel::testing {

inline data::Ids numbered(std::size_t count) {
  data::Ids ids;
  for (std::size_t i = 0; i < count; ++i) ids.insert(std::to_string(i));
  return ids;
}

}  // namespace evenkeel::testing
