// A folder of parts. In: train, maybe valid, any test*, each a .txt, .csv, .tsv, .inter or .dat
// file that may be packed, maybe the id maps that `split` wrote; out: the data set.
#pragma once

#include <string>

#include "base/threads.h"
#include "data/dataset.h"
#include "data/load.h"
#include "data/reader.h"

namespace evenkeel::data {

// A file that load_folder() would read in its folder, by its name.
bool is_file_of_parts(const std::string& path);

Dataset load_folder(const std::string& folder, const ReadOptions& options, Threads& threads,
                    LoadReport& report);

}  // namespace evenkeel::data
