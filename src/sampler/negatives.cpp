// In: a user's sorted items and random words. Out: negatives. A user who owns few items draws from
// the whole catalogue and draws again on an owned one; a user who owns many draws a rank among the
// items that are left, so that no draw is ever lost.
#include "sampler/negatives.h"

#include <algorithm>

#include "kernels/philox.h"

namespace evenkeel::sampler {

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

RandomNegatives::Scratch RandomNegatives::scratch(std::size_t most_negatives) const {
  const std::vector<std::uint32_t> room((most_negatives + 63) / 64 * 64);
  return {std::vector<std::uint32_t>((items_ + 31) / 32, 0), room, room, room};
}

void RandomNegatives::draw(Row user, std::size_t position, std::span<Row> negatives,
                           Scratch& scratch) const {
  const auto owned = items_of_.row(user);
  const auto row = static_cast<std::uint32_t>(position);
  const auto key = random_.key();
  kernels::philox_words({{key[0], key[1]}, row, random_.epoch(), random_.purpose()},
                        negatives.size(), scratch.words.data());
  if (owned.size() > items_ / 8) {
    const auto free = static_cast<std::uint32_t>(items_ - owned.size());
    for (std::size_t k = 0; k < negatives.size(); ++k) {
      negatives[k] = unowned_item(owned, bounded(scratch.words[k], free));
    }
    return;
  }
  const auto bit = [](Row item) { return std::uint32_t{1} << (item % 32); };
  for (const Row item : owned) scratch.owned[item / 32] |= bit(item);
  const auto items = static_cast<std::uint32_t>(items_);
  const std::size_t taken =
      kernels::bounded_items(scratch.words.data(), negatives.size(), items, scratch.owned.data(),
                             scratch.items.data(), scratch.taken.data());
  std::copy_n(scratch.items.data(), negatives.size(), negatives.data());
  auto spare = static_cast<std::uint32_t>((negatives.size() + 3) / 4);  // counters not used yet
  for (std::size_t k = 0; k < taken; ++k) {
    Row& item = negatives[scratch.taken[k]];
    while ((scratch.owned[item / 32] & bit(item)) != 0) {
      item = bounded(random_.word(row, spare++), items);
    }
  }
  for (const Row item : owned) scratch.owned[item / 32] = 0;
}

}  // namespace evenkeel::sampler
