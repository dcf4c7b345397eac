// The extractor without samples. In: counts of pairs between popularity classes; out: the vectors
// of the classes, at a cost that does not grow with the number of interactions.
#pragma once

#include "train/extractor.h"

namespace evenkeel::train {

ExtractorTables train_class_extractor(const ExtractorInputs& inputs);

}  // namespace evenkeel::train
