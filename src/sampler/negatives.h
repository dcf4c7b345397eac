// Random negatives. In: a user and a position in the epoch; out: items the user does not have,
// uniform and exact, with replacement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/types.h"
#include "data/csr.h"

namespace evenkeel::sampler {

class RandomNegatives {
 public:
  RandomNegatives(const data::Csr& items_of, std::size_t items, std::uint64_t seed)
      : items_of_(items_of), items_(items), seed_(seed), random_(seed, Purpose::kNegatives) {}

  // One worker's memory.
  struct Scratch {
    std::vector<std::uint32_t> owned;  // a bit an item, all clear between draws
    std::vector<std::uint32_t> words, items, taken;
  };
  Scratch scratch(std::size_t most_negatives) const;

  void begin_epoch(std::uint32_t epoch) { random_ = Random(seed_, Purpose::kNegatives, epoch); }
  // `position` is the sample's place in the epoch: the key of its draws.
  void draw(Row user, std::size_t position, std::span<Row> negatives, Scratch& scratch) const;

  // Before draws for the users of positives[k], k = begin, begin + 1, ... below `end`: what the
  // next ones will read is on its way.
  void prefetch(std::span<const Pair> positives, std::size_t k, std::size_t end) const {
    if (k + 2 * kAhead < end) items_of_.prefetch_place(positives[k + 2 * kAhead].user);
    if (k + kAhead < end) items_of_.prefetch_columns(positives[k + kAhead].user);
  }

 private:
  static constexpr std::size_t kAhead = 8;

  const data::Csr& items_of_;
  std::size_t items_;
  std::uint64_t seed_;
  Random random_;
};

// The r-th (from 0) of the items that are not in the ascending list `owned`.
Row unowned_item(std::span<const Row> owned, std::uint32_t r);

}  // namespace evenkeel::sampler
