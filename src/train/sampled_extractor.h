// The extractor as the paper has it. In: training pairs, each with negatives drawn for it; out: the
// vectors of popularity classes after --extractor-epochs.
#pragma once

#include "train/extractor.h"

namespace evenkeel::train {

ExtractorTables train_sampled_extractor(const ExtractorInputs& inputs);

}  // namespace evenkeel::train
