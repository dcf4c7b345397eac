// What a kind of step needs to know of the options.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evenkeel {

enum class NegativesKind { kOwn, kShared, kInBatch, kAll };

struct StepOptions {
  std::size_t batch = 0;
  NegativesKind negatives_kind = NegativesKind::kOwn;
  std::size_t negatives = 0;  // for each positive, or in a shared draw
  std::size_t tile = 0;       // samples that share a draw, or are compared at once
  double l2 = 0;
  std::uint64_t seed = 0;
};

}  // namespace evenkeel
