// In: options and data. Out: what the two of them bound.
#include "step/step_options.h"

#include <algorithm>

namespace evenkeel::step {

std::size_t most_samples(const StepOptions& options, const data::Dataset& data) {
  return std::min(options.batch, std::max<std::size_t>(1, data.interactions()));
}

}  // namespace evenkeel::step
