// What a column or a key of a row can hold, in the order in which the readers look for it.
#pragma once

#include <cstddef>

namespace evenkeel::data {

enum RowSlot : std::size_t { kUser, kItem, kRating, kTime, kWeight, kRowSlots };

}  // namespace evenkeel::data
