// In: an empty table. Out: its starting values.
#include "encoder/encoder.h"

#include <cmath>

#include "base/rng.h"

namespace evenkeel {

void xavier_normal(Matrix& table, std::uint64_t seed, Side side) {
  const Random random(seed, side == Side::kUser ? Purpose::kUserTable : Purpose::kItemTable);
  const double deviation = std::sqrt(2.0 / static_cast<double>(table.rows() + table.dim()));
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const auto values = table.values(r);
    for (std::size_t c = 0; c < values.size(); c += 2) {
      const auto pair =
          random.normals(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c));
      values[c] = static_cast<float>(deviation * pair[0]);
      if (c + 1 < values.size()) values[c + 1] = static_cast<float>(deviation * pair[1]);
    }
  }
}

}  // namespace evenkeel
