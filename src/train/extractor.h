// The popularity bias extractor. In: how often each user and item occurs in train; out: vectors of
// popularity classes that predict interactions as well as popularity alone can.
#pragma once

#include <atomic>

#include "base/matrix.h"
#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "loss/margin.h"
#include "train/observer.h"

namespace evenkeel::train {

struct ExtractorTables {
  Matrix users, items;  // a row for each distinct popularity value, ascending
};

// Whether --margin comes from an extractor; without strength there is no margin to ask it for.
bool needs_extractor(const Settings& settings);

// Trained with the softmax loss at --tau-extractor, then frozen. An interrupted training throws
// Error kInterrupted: it is short and starts again.
ExtractorTables train_extractor(const data::Dataset& data, const Settings& settings,
                                Threads& threads, Observer& observer,
                                const std::atomic<bool>& stop);

// The margins of --margin and --margin-strength; `tables` may be empty for a kind that needs none.
loss::Margins make_margins(const data::Dataset& data, const Settings& settings,
                           const ExtractorTables& tables);

}  // namespace evenkeel::train
