// The options of reading and splitting, for every command that takes DATA.
#pragma once

#include <span>
#include <string>

#include "base/settings.h"

namespace evenkeel {

std::span<const Field> data_fields();

// Settings of a run for DATA that is not the run's own. What was said about columns and cuts of the
// run's file means nothing in a folder of parts; another file is read and cut as the first one was.
Settings settings_for_other(const Settings& recorded, const std::string& data);

}  // namespace evenkeel
