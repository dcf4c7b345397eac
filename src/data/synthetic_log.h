// A plain log of any size, for trying and timing the reading of files. In: sizes and a seed;
// out: a CSV file with one interaction per line, the same bytes at any thread count.
#pragma once

#include <cstdint>
#include <string>

#include "base/threads.h"
#include "data/synthetic.h"

namespace evenkeel::data {

// Users come by a power law. Half of the items come by a power law too, the other half out of the
// block of items that belongs to the user, so that there is something to learn. Pairs may repeat.
// Written as it is made: memory does not grow with the number of lines. Returns its bytes.
std::uint64_t write_synthetic_log(const std::string& path, const MarketOptions& options,
                                  Threads& threads);

}  // namespace evenkeel::data
