// The one place where settings are completed. In: options as given; out: every option with the
// value that a run uses, in two steps: before the data is read, and when its size is known.
#pragma once

#include "base/settings.h"
#include "train/observer.h"

namespace evenkeel::train {

// The options of a run: defaults filled in, checked together. A wrong one must be told before
// anything is read or written.
Settings complete_settings(const Settings& given, Observer& observer);

// Fills in what depends on the goal (loss, negatives, margins, learning rate, debias) or the loss
// (negatives and score, defaults of its own).
void resolve_defaults(Settings& settings);
// Fills in what depends on the data's size: a small data set gets smaller batches, so that an epoch
// is more than a step or two, and is not validated (and given up) every few steps; a large
// data set a lower temperature.
void fit_to_data(Settings& settings, std::size_t interactions);

}  // namespace evenkeel::train
