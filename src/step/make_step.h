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

namespace evenkeel::step {

// One of the two losses is given.
std::unique_ptr<Step> make_step(const rows::StepParts& parts, const loss::Loss* loss,
                                loss::BatchLoss* batch_loss, const data::Dataset& data,
                                const StepOptions& options);

// Whether it fetches items from the ranks that own them, where vectors are tables.
bool fetches_items(const StepOptions& options);

struct NegativesEntry {
  std::string_view name, description;
  NegativesKind kind;
  // Whether ranks own items and send rows to whoever reads them; else every rank moves all items.
  bool fetches_items;
  std::unique_ptr<Step> (*make)(const rows::StepParts&, const loss::Loss&, const data::Dataset&,
                                const StepOptions&);
};
std::span<const NegativesEntry> negatives_kinds();  // for `evenkeel list`

}  // namespace evenkeel::step
