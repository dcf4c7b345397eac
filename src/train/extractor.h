// The popularity bias extractor. In: how often each user and item occurs in train; out: vectors of
// popularity classes that predict interactions as well as popularity alone can.
#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "base/matrix.h"
#include "base/settings.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "loss/margin.h"
#include "train/observer.h"

namespace evenkeel::train {

struct ExtractorTables {
  Matrix users, items;  // a row for each popularity class, ascending
};

// Whether --margin comes from an extractor; without strength there is no margin to ask it for.
bool needs_extractor(const Settings& settings);
struct ExtractorClasses {
  loss::PopularityClasses users, items;
};

// What an extractor learns from.
struct ExtractorInputs {
  const data::Dataset& data;
  const Settings& settings;
  const ExtractorClasses& classes;
  std::size_t negatives;  // for each positive
  std::uint64_t seed;     // its own, made from the run's
  Threads& threads;
  Observer& observer;
  const std::atomic<bool>& stop;
};

// What a kind throws that finds `stop` set.
[[noreturn]] void fail_interrupted_extractor();

struct ExtractorEntry {
  std::string_view name, description;
  loss::PopularityClasses (*classes)(std::span<const std::uint32_t> popularity);
  ExtractorTables (*train)(const ExtractorInputs& inputs);
};

std::span<const ExtractorEntry> extractors();
// Of --extractor. `auto` and settings that are older than the option: sampled where
// --extractor-epochs is set, as every config.toml of that time has it.
const ExtractorEntry& extractor_entry(const Settings& settings);
ExtractorClasses extractor_classes(const data::Dataset& data, const Settings& settings);

// Trained with the softmax loss at --tau-extractor, then frozen. An interrupted training throws
// Error kInterrupted: it is short and starts again.
ExtractorTables train_extractor(const data::Dataset& data, const Settings& settings,
                                Threads& threads, Observer& observer,
                                const std::atomic<bool>& stop);

// The margins of --margin and --margin-strength; `tables` may be empty for a kind that needs none.
loss::Margins make_margins(const data::Dataset& data, const Settings& settings,
                           const ExtractorTables& tables, Threads* threads = nullptr);

}  // namespace evenkeel::train
