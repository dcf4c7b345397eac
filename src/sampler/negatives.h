// Random negatives. In: a user and a position in the epoch; out: items the user does not have,
// uniform and exact, with replacement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/types.h"
#include "data/csr.h"

namespace evenkeel {

class RandomNegatives {
 public:
  RandomNegatives(const Csr& items_of, std::size_t items, std::uint64_t seed)
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

 private:
  const Csr& items_of_;
  std::size_t items_;
  std::uint64_t seed_;
  Random random_;
};

// The r-th (from 0) of the items that are not in the ascending list `owned`.
Row unowned_item(std::span<const Row> owned, std::uint32_t r);

}  // namespace evenkeel
