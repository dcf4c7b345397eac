// In: a log and k. Out: the log without users and items that have fewer than k interactions,
// taken out again and again until all that is left has k.
#pragma once

#include <cstdint>

#include "data/interactions.h"

namespace evenkeel::data {

// Rows are renumbered and keep their order. Nothing left is a data error.
void filter_k_core(Interactions& log, std::int64_t k);

}  // namespace evenkeel::data
