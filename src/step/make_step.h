// Chooses the kind of step. In: options; out: the step that draws its negatives as they say.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "data/dataset.h"
#include "loss/batch_loss.h"
#include "loss/loss.h"
#include "step/step.h"
#include "step/step_options.h"

namespace evenkeel {

// One of the two losses is given.
std::unique_ptr<Step> make_step(const StepParts& parts, const Loss* loss, BatchLoss* batch_loss,
                                const Dataset& data, const StepOptions& options);

struct NegativesEntry {
  std::string_view name, description;
  NegativesKind kind;
  std::unique_ptr<Step> (*make)(const StepParts&, const Loss&, const Dataset&, const StepOptions&);
};
std::span<const NegativesEntry> negatives_kinds();  // for `evenkeel list`

}  // namespace evenkeel
