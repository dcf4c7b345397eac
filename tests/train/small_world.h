// A small synthetic data set for tests of training, without files.
#pragma once

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "base/rng.h"
#include "data/dataset.h"

namespace evenkeel::testing {

inline const std::atomic<bool> kGoOn{false};  // the word to stop, never given

inline bool same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.dim() == b.dim() &&
         std::equal(a.data(), a.data() + a.size(), b.data());
}

// Users and items in `groups` blocks: a user likes the items of its own block, popular ones more.
inline data::Dataset small_world(std::size_t users, std::size_t items, std::size_t groups = 4,
                                 std::uint64_t seed = 1) {
  data::Ids user_ids, item_ids;
  for (std::size_t u = 0; u < users; ++u) user_ids.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < items; ++i) item_ids.insert("i" + std::to_string(i));
  const Random random(seed, Purpose::kMarket, 99);
  std::vector<Pair> train, valid, test;
  const std::size_t block = items / groups;
  for (std::size_t u = 0; u < users; ++u) {
    for (std::uint32_t k = 0; k < 12; ++k) {
      const double x = random.uniform(static_cast<std::uint32_t>(u), k);
      const auto inside = static_cast<std::size_t>(x * x * static_cast<double>(block));
      const Pair pair{static_cast<Row>(u), static_cast<Row>(u % groups * block + inside)};
      (k < 8 ? train : k < 10 ? valid : test).push_back(pair);
    }
  }
  const auto known = [&](const Pair& pair) {
    return std::find(train.begin(), train.end(), pair) != train.end();
  };
  std::erase_if(valid, known);
  std::erase_if(test, known);
  return data::make_dataset("small", std::move(user_ids), std::move(item_ids), train, valid,
                            {{"test", test}});
}

}  // namespace evenkeel::testing
