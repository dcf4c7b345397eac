// The positives of an epoch. In: the training pairs; out: their order, a pure function of
// (seed, epoch).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/types.h"
#include "data/csr.h"

namespace evenkeel::sampler {

class Positives {
 public:
  virtual ~Positives() = default;
  virtual void begin_epoch(std::uint32_t epoch) = 0;
  virtual void end_epoch() {}  // gives back what only the epoch's samples need
  // Samples [first, first + count) of the epoch, in order, until the next call. Users who own every
  // item are left out: nothing is left to compare their items with.
  virtual std::span<const Pair> samples(std::size_t first, std::size_t count) = 0;
  std::span<const Pair> samples() { return samples(0, size()); }
  virtual std::size_t size() const = 0;  // samples of every epoch
};

// Samples have 32-bit numbers: more training pairs than that are refused.
void check_countable(std::size_t pairs);

// Every training pair once, shuffled: the paper's sum over O+. With weights, as many samples as
// there are pairs, each pair as often as its share of all weight says, up to the next whole number:
// pairs of the same weight come once, and a pair of weight 0 never.
std::unique_ptr<Positives> positives_by_interaction(const data::Csr& items_of, std::size_t items,
                                                    std::uint64_t seed);

// Users in turn, a random positive of each, as many samples as there are pairs: the authors'
// program. Active users weigh no more than others. Weights say which positive of a user.
std::unique_ptr<Positives> positives_by_user(const data::Csr& items_of, std::size_t items,
                                             std::uint64_t seed);

}  // namespace evenkeel::sampler
