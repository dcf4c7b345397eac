// In: options and data. Out: what the two of them bound.
#include "step/step_options.h"

#include <algorithm>

namespace evenkeel::step {

std::size_t most_samples(const StepOptions& options, const data::Dataset& data) {
  return std::min(options.batch, std::max<std::size_t>(1, data.interactions()));
}

double drawn_items(const StepOptions& options, const data::Dataset& data) {
  const std::size_t samples = most_samples(options, data);
  switch (options.negatives_kind) {
    case NegativesKind::kOwn:
      return static_cast<double>(samples * options.negatives);
    case NegativesKind::kShared:
      return static_cast<double>((samples + options.tile - 1) / options.tile * options.negatives);
    case NegativesKind::kInBatch:
      return 0;
    case NegativesKind::kAll:
      return static_cast<double>(data.item_count());
  }
  return 0;
}

}  // namespace evenkeel::step
