// What a kind of step needs to know of the options.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/dataset.h"

namespace evenkeel::step {

enum class NegativesKind { kOwn, kShared, kInBatch, kAll };

struct StepOptions {
  std::size_t batch = 0;  // positives in a step
  std::size_t pool =
      0;  // of them, consecutive ones that are each other's in-batch negatives; 0: all
  NegativesKind negatives_kind = NegativesKind::kOwn;
  std::size_t negatives = 0;  // for each positive, or in a shared draw
  std::size_t tile = 0;       // samples that share a draw, or are compared at once
  double l2 = 0;
  std::uint64_t seed = 0;
};

// The most samples a step can meet: a batch that is larger than the data needs no larger buffers.
std::size_t most_samples(const StepOptions& options, const data::Dataset& data);

// Items that a step names beside those of its positives.
double drawn_items(const StepOptions& options, const data::Dataset& data);

}  // namespace evenkeel::step
