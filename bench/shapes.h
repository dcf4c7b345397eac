// Data sets with the size and long tail of real ones, made on the spot. In: a shape; out: a data
// set.
#pragma once

#include <string>

#include "data/dataset.h"

namespace evenkeel::bench {

struct Shape {
  std::string name;
  std::size_t users = 0, items = 0, interactions = 0;
};

Shape tencent_like();      // 95,709 x 41,602, 1.76 M
Shape amazon_book_like();  // 52,643 x 91,599, 1.79 M
Shape ifashion_like();     // 300,000 x 81,614, 0.96 M

// Popularity falls as a power of the rank; every user has about the same number of items.
data::Dataset make_data(const Shape& shape);

}  // namespace evenkeel::bench
