// In: the size of a table. Out: its starting values.
#include "encoder/encoder.h"

#include <cmath>

#include "base/rng.h"

namespace evenkeel::encoder {

Matrix starting_table(std::size_t rows, std::size_t extra, std::size_t dim, std::uint64_t seed,
                      Side side) {
  return starting_table(rows, extra, dim, seed, side, {0, rows + extra});
}

Matrix starting_table(std::size_t rows, std::size_t extra, std::size_t dim, std::uint64_t seed,
                      Side side, RowRange held) {
  Matrix table(rows + extra, dim, held);
  const Random random(seed, side == Side::kUser ? Purpose::kUserTable : Purpose::kItemTable);
  for (std::size_t r = held.begin; r < held.end; ++r) {
    const std::size_t siblings = r < rows ? rows : extra;
    const double deviation = std::sqrt(2.0 / static_cast<double>(siblings + dim));
    const auto values = table.values(r);
    for (std::size_t c = 0; c < values.size(); c += 2) {
      const auto pair =
          random.normals(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c));
      values[c] = static_cast<float>(deviation * pair[0]);
      if (c + 1 < values.size()) values[c + 1] = static_cast<float>(deviation * pair[1]);
    }
  }
  return table;
}

}  // namespace evenkeel::encoder
