// The similarity of a negative that does not count.
#pragma once

#include <limits>

namespace evenkeel::loss {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

}  // namespace evenkeel::loss
