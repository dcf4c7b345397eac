// Negatives about as popular as their positive. In: a pair and its position in the epoch; out: an
// item the user does not have, uniform among those nearest to the positive in popularity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/types.h"
#include "data/csr.h"
#include "sampler/negatives.h"

namespace evenkeel::sampler {

class SimilarNegatives {
 public:
  // `share` of the catalogue (0 to 1) is near.
  SimilarNegatives(const data::Csr& items_of, std::span<const std::uint32_t> item_popularity,
                   double share, std::uint64_t seed);

  void begin_epoch(std::uint32_t epoch);
  // A user who has every item nearby draws from the whole catalogue.
  Row draw(Pair positive, std::size_t position, RandomNegatives::Scratch& scratch) const;
  RandomNegatives::Scratch scratch() const { return anywhere_.scratch(1); }  // one per thread

 private:
  const data::Csr& items_of_;
  std::vector<Row> by_popularity_;  // items, least popular first
  std::vector<Row> place_of_;       // item -> its place there
  std::size_t near_;                // items in a window
  std::uint64_t seed_;
  Random random_;
  RandomNegatives anywhere_;
};

}  // namespace evenkeel::sampler
