// Tables of text: CSV, TSV, `::`, blanks, with or without header; and RecBole's .inter.
// In: such a file; out: a pair (and a time) for each row that passes the rating threshold.
#pragma once

#include "data/reader.h"

namespace evenkeel::data {

bool recognises_delimited(const TextFile& file, const ReadOptions& options);  // any text
void read_delimited(const TextFile& file, const ReadOptions& options, Threads& threads,
                    LogBuilder& log);

bool recognises_inter(const TextFile& file, const ReadOptions& options);
void read_inter(const TextFile& file, const ReadOptions& options, Threads& threads,
                LogBuilder& log);

}  // namespace evenkeel::data
