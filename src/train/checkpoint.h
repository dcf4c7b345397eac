// Checkpoints. In: a trainer between two steps; out: checkpoint.safetensors, from which the same
// training goes on and ends in the same bits.
#pragma once

#include <string>

#include "base/settings.h"
#include "data/dataset.h"
#include "train/trainer.h"

namespace evenkeel {

void save_checkpoint(Trainer& trainer, const Settings& settings, const Dataset& data,
                     const std::string& path);

// Throws a config error when the settings or the data are not those of the checkpoint. Options that
// do not change what an epoch computes (threads, epochs, patience, ...) may differ. Anything that
// no training could have left is a data error: a damaged checkpoint.
void restore_checkpoint(Trainer& trainer, const Settings& settings, const Dataset& data,
                        const std::string& path);

}  // namespace evenkeel
