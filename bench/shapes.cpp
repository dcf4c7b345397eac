// In: a shape. Out: a long-tailed data set of that size.
#include "shapes.h"

#include <cmath>

#include "base/rng.h"

namespace evenkeel::bench {

Shape tencent_like() {
  return {"Tencent-like", 95709, 41602, 1760000};
}
Shape amazon_book_like() {
  return {"Amazon-Book-like", 52643, 91599, 1790000};
}
Shape ifashion_like() {
  return {"iFashion-like", 300000, 81614, 960000};
}

data::Dataset make_data(const Shape& shape) {
  data::Ids users, items;
  for (std::size_t u = 0; u < shape.users; ++u) users.insert(std::to_string(u));
  for (std::size_t i = 0; i < shape.items; ++i) items.insert(std::to_string(i));
  const Random random(1, Purpose::kMarket);
  std::vector<Pair> pairs;
  pairs.reserve(shape.interactions);
  for (std::size_t k = 0; k < shape.interactions; ++k) {
    const double x = random.uniform(static_cast<std::uint32_t>(k), 0);
    const double place = std::pow(x, 2.5) * static_cast<double>(shape.items);
    // A step coprime to the catalogue's size scatters popular items over the row numbers.
    const auto item = static_cast<std::size_t>(place) * 7919 % shape.items;
    pairs.push_back({static_cast<Row>(k % shape.users), static_cast<Row>(item)});
  }
  return data::make_dataset(shape.name, std::move(users), std::move(items), pairs, {}, {});
}

}  // namespace evenkeel::bench
