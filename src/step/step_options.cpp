// In: options and data. Out: what the two of them bound.
#include "step/step_options.h"

#include <algorithm>

namespace evenkeel {

std::size_t most_samples(const StepOptions& options, const Dataset& data) {
  return std::min(options.batch, std::max<std::size_t>(1, data.interactions()));
}

}  // namespace evenkeel
