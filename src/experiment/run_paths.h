// Folders of an experiment's runs. In: a stage, a cell and the settings of a run; out: its path.
#pragma once

#include <string>
#include <string_view>

#include "base/settings.h"
#include "experiment/plan.h"

namespace evenkeel::experiment {

// OUT/STAGE/data/encoder/method
std::string method_folder(const std::string& out, std::string_view stage, const Cell& cell);
// In it words-hash: the same options always have the same folder.
std::string run_folder(const std::string& out, std::string_view stage, const Cell& cell,
                       std::string_view words, const Settings& settings);

// Eight hexadecimal digits that stand for a text in the name of a folder.
std::string hash_text(const std::string& text);

}  // namespace evenkeel::experiment
