// What a run will take. In: its settings and the size of its data; out: rough seconds.
#pragma once

#include <cstddef>

#include "base/settings.h"

namespace evenkeel::experiment {

// Rough seconds of a run on this machine, from the loss, the negatives and the number of training
// interactions; training is taken to stop early, after 60 epochs.
double expected_seconds(const Settings& settings, std::size_t interactions);

}  // namespace evenkeel::experiment
