// The options of reading and splitting, for every command that takes DATA.
#pragma once

#include <span>

#include "base/settings.h"

namespace evenkeel {

std::span<const Field> data_fields();

}  // namespace evenkeel
