// The one list of ways to draw negatives. In: settings and a loss; out: the step that fits them.
#include "step/make_step.h"

#include "base/error.h"
#include "step/batch_loss_step.h"
#include "step/own_negatives_step.h"
#include "step/pool_step.h"
#include "step/shared_negatives_step.h"

namespace evenkeel::step {
namespace {

std::unique_ptr<Step> own(const rows::StepParts& parts, const loss::Loss& loss,
                          const data::Dataset& data, const StepOptions& options) {
  return std::make_unique<OwnNegativesStep>(
      parts, loss, sampler::RandomNegatives(data.items_of, data.item_count(), options.seed),
      options.batch, options.negatives, options.l2);
}

std::unique_ptr<Step> shared(const rows::StepParts& parts, const loss::Loss& loss,
                             const data::Dataset& data, const StepOptions& options) {
  return std::make_unique<SharedNegativesStep>(parts, loss, data.items_of, options.seed,
                                               options.batch, options.negatives, options.tile,
                                               options.l2);
}

template <PoolStep::Kind kind>
std::unique_ptr<Step> pool(const rows::StepParts& parts, const loss::Loss& loss,
                           const data::Dataset& data, const StepOptions& options) {
  return std::make_unique<PoolStep>(parts, loss, data.items_of, kind, data.item_count(),
                                    options.batch, options.pool, options.tile, options.l2);
}

// Samples with negatives of their own read nearly every item: at batch 2048, 128 negatives and dim
// 64 half a batch names 39,300 of the 40,981 items of gowalla. Two ranks would fetch 19,700 rows
// each, 5.0 MB, which are packed, sent and put in their places (some 0.1 us per row) to save each
// the moving of as many (0.07 us per row). What every rank needs to move all of them are the
// samples' vectors and derivatives, 0.8 MB, whoever owns the items.
constexpr NegativesEntry kKinds[] = {
    {"N", "N random negatives of its own for every positive (the paper: 128)", NegativesKind::kOwn,
     false, own},
    {"N --shared-negatives", "a tile of samples shares one random draw of N",
     NegativesKind::kShared, true, shared},
    {"in-batch", "the other positives of the batch", NegativesKind::kInBatch, true,
     pool<PoolStep::Kind::kInBatch>},
    {"all", "every item the user does not have: the exact softmax", NegativesKind::kAll, true,
     pool<PoolStep::Kind::kAllItems>},
};

const NegativesEntry& entry_of(const StepOptions& options) {
  for (const NegativesEntry& entry : kKinds) {
    if (entry.kind == options.negatives_kind) return entry;
  }
  fail_internal("a kind of negatives has its entry", __FILE__, __LINE__);
}

}  // namespace

std::span<const NegativesEntry> negatives_kinds() {
  return kKinds;
}

bool fetches_items(const StepOptions& options) {
  return entry_of(options).fetches_items;
}

std::unique_ptr<Step> make_step(const rows::StepParts& parts, const loss::Loss* loss,
                                loss::BatchLoss* batch_loss, const data::Dataset& data,
                                const StepOptions& given) {
  StepOptions options = given;
  options.batch = most_samples(given, data);
  if (batch_loss != nullptr) {
    std::optional<sampler::SimilarNegatives> similar;
    if (const double share = batch_loss->similar_share(); share > 0) {
      similar.emplace(data.items_of, data.item_popularity, share, options.seed);
    }
    return std::make_unique<BatchLossStep>(
        parts, *batch_loss,
        sampler::RandomNegatives(data.items_of, data.item_count(), options.seed), options.batch,
        options.l2, std::move(similar));
  }
  return entry_of(options).make(parts, *loss, data, options);
}

}  // namespace evenkeel::step
