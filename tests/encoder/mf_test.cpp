// Starting tables: Xavier normal, keyed by row and seed.
#include "encoder/mf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace evenkeel::encoder {
namespace {

TEST(Mf, StartsXavierNormal) {
  Mf encoder(3000, 50, 32, 4);
  const Matrix& users = encoder.vectors(Side::kUser);
  double sum = 0, square = 0;
  const double count = 3000 * 32;
  for (std::size_t r = 0; r < users.rows(); ++r) {
    for (const float value : users.values(r)) {
      sum += double{value};
      square += double{value} * double{value};
    }
  }
  const double deviation = std::sqrt(2.0 / (3000 + 32));
  EXPECT_NEAR(sum / count, 0, 4 * deviation / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(square / count), deviation, 0.01 * deviation);
}

TEST(Mf, SeedAndSideDecideTheTables) {
  Mf a(20, 20, 8, 1), same(20, 20, 8, 1), other(20, 20, 8, 2);
  const auto bytes = [](Mf& encoder, Side side) {
    const Matrix& table = encoder.table(side);
    return std::string(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(float));
  };
  EXPECT_EQ(bytes(a, Side::kUser), bytes(same, Side::kUser));
  EXPECT_NE(bytes(a, Side::kUser), bytes(other, Side::kUser));
  EXPECT_NE(bytes(a, Side::kUser), bytes(a, Side::kItem));
}

}  // namespace
}  // namespace evenkeel::encoder
