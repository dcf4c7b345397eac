// What ranks of a training must have in common. In: a request and its settings on every rank; out:
// nothing, or an error that all of them throw before anything is written.
#pragma once

#include "base/settings.h"
#include "train/run.h"

namespace evenkeel::train {

// The same program, processor kind, folder and options; a method that can be divided.
void check_ranks(const RunRequest& request, const Settings& settings);

}  // namespace evenkeel::train
