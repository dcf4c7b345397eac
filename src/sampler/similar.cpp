// In: items by popularity. Out: a draw from the window around the positive.
#include "sampler/similar.h"

#include <algorithm>
#include <cmath>

#include "data/groups.h"

namespace evenkeel::sampler {

SimilarNegatives::SimilarNegatives(const data::Csr& items_of,
                                   std::span<const std::uint32_t> item_popularity, double share,
                                   std::uint64_t seed)
    : items_of_(items_of),
      by_popularity_(data::rows_by_popularity(item_popularity)),
      place_of_(item_popularity.size()),
      near_(std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(
                                         share * static_cast<double>(item_popularity.size()))))),
      seed_(seed),
      random_(seed, Purpose::kSimilar),
      anywhere_(items_of, item_popularity.size(), seed) {
  std::reverse(by_popularity_.begin(), by_popularity_.end());
  for (std::size_t k = 0; k < by_popularity_.size(); ++k) {
    place_of_[by_popularity_[k]] = static_cast<Row>(k);
  }
}

void SimilarNegatives::begin_epoch(std::uint32_t epoch) {
  random_ = Random(seed_, Purpose::kSimilar, epoch);
  anywhere_.begin_epoch(epoch);
}

Row SimilarNegatives::draw(Pair positive, std::size_t position,
                           RandomNegatives::Scratch& scratch) const {
  const std::size_t items = by_popularity_.size(), place = place_of_[positive.item];
  const std::size_t begin = std::min(place - std::min(place, near_ / 2), items - near_);
  const std::span<const Row> window = std::span(by_popularity_).subspan(begin, near_);
  const auto has = [&](Row item) { return items_of_.contains(positive.user, item); };
  const auto owned = items_of_.row(positive.user);
  const auto inside = std::count_if(owned.begin(), owned.end(), [&](Row item) {
    return place_of_[item] >= begin && place_of_[item] < begin + near_;
  });
  const auto free = near_ - static_cast<std::size_t>(inside);
  Draws draws(random_, static_cast<std::uint32_t>(position));
  if (free == 0) {
    Row item = 0;
    anywhere_.draw(positive.user, position, {&item, 1}, scratch);
    return item;
  }
  if (free >= near_ / 8) {  // an owned item is drawn again
    for (;;) {
      const Row item = window[draws.below(static_cast<std::uint32_t>(near_))];
      if (!has(item)) return item;
    }
  }
  // Few are left: a rank among them, so that no draw is lost.
  auto rank = draws.below(static_cast<std::uint32_t>(free));
  return *std::find_if(window.begin(), window.end(),
                       [&](Row item) { return !has(item) && rank-- == 0; });
}

}  // namespace evenkeel::sampler
