// In: a user's sorted items and random words. Out: negatives, one draw each: the draw picks a rank
// among the items the user lacks, so nothing is ever rejected, not even for a user who owns most.
#include "sampler/negatives.h"

namespace evenkeel {

Row unowned_item(std::span<const Row> owned, std::uint32_t r) {
  // owned[k] - k items below owned[k] are free, and that count never falls with k.
  std::size_t low = 0, length = owned.size();
  while (length > 0) {
    const std::size_t half = length / 2;
    const std::size_t middle = low + half;
    const bool below = owned[middle] - static_cast<Row>(middle) <= r;
    low = below ? middle + 1 : low;
    length = below ? length - half - 1 : half;
  }
  return r + static_cast<Row>(low);
}

void RandomNegatives::draw(Row user, std::size_t position, std::span<Row> negatives) const {
  const auto owned = items_of_.row(user);
  const auto free = static_cast<std::uint32_t>(items_ - owned.size());
  Draws draws(random_, static_cast<std::uint32_t>(position));
  for (Row& negative : negatives) negative = unowned_item(owned, draws.below(free));
}

}  // namespace evenkeel
