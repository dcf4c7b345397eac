// Adjacency text: `user item item ...` on each line, split at blanks.
// In: such a file; out: its pairs. The layout of LightGCN-style folders.
#pragma once

#include "data/reader.h"

namespace evenkeel::data {

bool recognises_adjacency(const TextFile& file, const ReadOptions& options);
void read_adjacency(const TextFile& file, const ReadOptions& options, Threads& threads,
                    LogBuilder& log);

}  // namespace evenkeel::data
