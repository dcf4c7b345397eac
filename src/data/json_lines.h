// JSON lines. In: {"user": "u1", "item": 17, "rating": 4, "timestamp": 1700000000} on each line;
// out: pairs of a log.
#pragma once

#include "data/reader.h"

namespace evenkeel::data {

bool recognises_json_lines(const TextFile& file, const ReadOptions& options);
void read_json_lines(const TextFile& file, const ReadOptions& options, Threads& threads,
                     LogBuilder& log);

}  // namespace evenkeel::data
