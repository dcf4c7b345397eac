// In: vectors. Out: their running mean, row by row, the same at any number of threads.
#include "train/vector_average.h"

#include <algorithm>

namespace evenkeel::train {
namespace {

void move_towards(Matrix& mean, const Matrix& vectors, float share, Threads& threads) {
  const RowRange held = mean.held();
  threads.for_chunks(held.size(), 1024, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = held.begin + begin; r < held.begin + end; ++r) {
      for (std::size_t c = 0; c < mean.dim(); ++c) {
        mean.row(r)[c] += share * (vectors.row(r)[c] - mean.row(r)[c]);
      }
    }
  });
}

}  // namespace

void VectorAverage::add(const Matrix& users, const Matrix& items, Threads& threads) {
  if (!on()) return;
  if (++count_ == 1) {
    users_ = users;
    items_ = items;
    return;
  }
  const auto share = 1.0F / static_cast<float>(std::min<std::int64_t>(count_, window_));
  move_towards(users_, users, share, threads);
  move_towards(items_, items, share, threads);
}

}  // namespace evenkeel::train
