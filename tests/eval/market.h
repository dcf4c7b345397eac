// A data set with random vectors for its users and items: for rankings that nothing has trained.
#pragma once

#include <utility>

#include "base/matrix.h"
#include "base/rng.h"
#include "data/dataset.h"

namespace evenkeel::testing {

struct Market {
  data::Dataset dataset;
  Matrix users, items;
};

inline Matrix normal_table(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix table(rows, dim);
  const Random random(seed, Purpose::kUserTable);
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < dim; ++c) {
      table.row(r)[c] = static_cast<float>(random.normals(r, c)[0]);
    }
  }
  return table;
}

inline Market market_of(data::Dataset dataset, std::size_t dim) {
  Matrix users = normal_table(dataset.user_count(), dim, 1);
  Matrix items = normal_table(dataset.item_count(), dim, 2);
  return {std::move(dataset), std::move(users), std::move(items)};
}

}  // namespace evenkeel::testing
