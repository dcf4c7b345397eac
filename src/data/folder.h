// A folder of parts. In: train.txt, maybe valid.txt, any test*.txt (each may be .gz or .zst), maybe
// the id maps that `split` wrote; out: the data set.
#pragma once

#include <string>

#include "base/threads.h"
#include "data/dataset.h"
#include "data/load.h"

namespace evenkeel {

Dataset load_folder(const std::string& folder, Threads& threads, LoadReport& report);

}  // namespace evenkeel
