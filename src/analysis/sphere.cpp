// In: a user and items. Out: their picture on the sphere.
#include "analysis/sphere.h"

#include <algorithm>
#include <cmath>

namespace evenkeel::analysis {
namespace {

using Vector = std::vector<double>;

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

void subtract(Vector& from, double factor, const Vector& what) {
  for (std::size_t c = 0; c < from.size(); ++c) from[c] -= factor * what[c];
}

// False for (nearly) nothing, which has no direction.
bool make_unit(Vector& vector) {
  const double norm = std::sqrt(product(vector, vector));
  if (norm < 1e-9) return false;
  for (double& value : vector) value /= norm;
  return true;
}

// The direction of the greatest spread of `rows` across `given` (power iteration from the longest
// row). Zeros when nothing is left there.
Vector principal_axis(const std::vector<Vector>& rows, std::size_t dim, const Vector* given) {
  constexpr int kRounds = 60;
  Vector axis(dim, 0.0);
  double longest = 0;
  for (Vector row : rows) {
    if (given != nullptr) subtract(row, product(row, *given), *given);
    const double square = product(row, row);
    if (square <= longest) continue;
    longest = square;
    axis = std::move(row);
  }
  if (!make_unit(axis)) return Vector(dim, 0.0);
  for (int round = 0; round < kRounds; ++round) {
    Vector next(dim, 0.0);
    for (const Vector& row : rows) subtract(next, -product(row, axis), row);
    if (given != nullptr) subtract(next, product(next, *given), *given);
    if (!make_unit(next)) break;
    axis = std::move(next);
  }
  return axis;
}

}  // namespace

std::vector<SpherePoint> sphere_points(const Directions& directions, Row user,
                                       std::span<const Row> items) {
  const auto own = directions.users.values(user);
  const Vector pole(own.begin(), own.end());
  std::vector<Vector> beside;  // of each item, what is at a right angle to the user
  std::vector<double> along;
  for (const Row item : items) {
    const auto values = directions.items.values(item);
    Vector row(values.begin(), values.end());
    along.push_back(std::clamp(product(row, pole), -1.0, 1.0));
    subtract(row, along.back(), pole);
    beside.push_back(std::move(row));
  }
  const Vector first = principal_axis(beside, pole.size(), nullptr);
  const Vector second = principal_axis(beside, pole.size(), &first);
  std::vector<SpherePoint> points;
  for (std::size_t n = 0; n < items.size(); ++n) {
    const double azimuth = std::atan2(product(beside[n], second), product(beside[n], first));
    const double radius = std::sqrt(1 - along[n] * along[n]);
    points.push_back({radius * std::cos(azimuth), radius * std::sin(azimuth), along[n]});
  }
  return points;
}

}  // namespace evenkeel::analysis
