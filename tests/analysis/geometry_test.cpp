// In: vectors with known angles. Out: histograms, compactness, dispersion, the sphere.
#include "analysis/geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/small_model.h"
#include "analysis/sphere.h"
#include "base/rng.h"

namespace evenkeel::analysis {
namespace {

using testing::data_of;
using testing::matrix_of;
using testing::model_of;

Matrix random_rows(std::size_t rows, std::size_t dim, std::uint32_t salt) {
  const Random random(7, Purpose::kMarket, salt);
  Matrix matrix(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < dim; ++c) {
      matrix.row(r)[c] = static_cast<float>(
          random.normals(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(c))[0]);
    }
  }
  return matrix;
}

double product(const float* a, const float* b, std::size_t dim) {
  double sum = 0;
  for (std::size_t c = 0; c < dim; ++c) sum += double{a[c]} * b[c];
  return sum;
}

TEST(Angles, HandWorked) {
  Threads threads(1);
  const data::Dataset data = data_of(1, 4, {{0, 0}});
  const model::Model model = model_of(
      matrix_of({{2, 0}}), matrix_of({{5, 0}, {1, 1}, {0, 3}, {-1, 0}}), data, model::Score::kDot);
  const Directions directions = directions_of(model, threads);
  const std::vector<Row> all{0, 1, 2, 3};
  const AngleSummary summary = angles_to_items(directions, 0, all);
  EXPECT_NEAR(*summary.mean, (0 + 45 + 90 + 180) / 4.0, 1e-4);
  EXPECT_DOUBLE_EQ(summary.histogram[0], 0.25);
  EXPECT_DOUBLE_EQ(summary.histogram[35], 0.25);  // 180 belongs to the last bin
  EXPECT_DOUBLE_EQ(summary.histogram[8] + summary.histogram[9], 0.25);    // 45, on a border
  EXPECT_DOUBLE_EQ(summary.histogram[17] + summary.histogram[18], 0.25);  // 90
  EXPECT_FALSE(angles_to_items(directions, 0, {}).mean);
}

TEST(Spread, HandWorked) {
  Threads threads(1);
  // Row (1, 0); positives (0, 1) and (1, 0) with centroid (0.5, 0.5); negatives (-1, 0), (0, -1).
  const Matrix own = matrix_of({{1, 0}}), other = matrix_of({{0, 1}, {1, 0}, {-1, 0}, {0, -1}});
  const data::Csr positives = data::make_csr(std::vector<Pair>{{0, 0}, {0, 1}}, 1, Side::kUser);
  const Spread spread =
      measure_spread(own, other, positives, std::vector<std::uint32_t>{2}, threads);
  EXPECT_NEAR(*spread.mean_compactness, 0.5, 1e-12);
  EXPECT_NEAR(*spread.mean_dispersion, (4 + 2) / 2.0, 1e-12);
  EXPECT_NEAR(*spread.compactness[0], 0.5, 1e-12);
  EXPECT_FALSE(spread.compactness[2]);
}

TEST(Spread, DispersionIsTheMeanOverEveryNegative) {
  const data::Dataset data =
      data_of(5, 9, {{0, 0}, {0, 3}, {1, 1}, {2, 2}, {2, 8}, {3, 0}, {4, 5}, {4, 6}, {4, 7}});
  const model::Model model =
      model_of(random_rows(5, 4, 1), random_rows(9, 4, 2), data, model::Score::kCosine);
  Threads one(1), three(3);
  const Directions directions = directions_of(model, one);
  double sum = 0;
  for (Row user = 0; user < 5; ++user) {
    double own = 0, count = 0;
    for (Row item = 0; item < 9; ++item) {
      if (data.items_of.contains(user, item)) continue;
      own += 2 - 2 * product(directions.users.row(user), directions.items.row(item), 4);
      ++count;
    }
    sum += own / count / 5;
  }
  const Spread spread =
      measure_spread(directions.users, directions.items, data.items_of, data.user_popularity, one);
  EXPECT_NEAR(*spread.mean_dispersion, sum, 1e-6);
  const Spread again = measure_spread(directions.users, directions.items, data.items_of,
                                      data.user_popularity, three);
  EXPECT_EQ(*spread.mean_dispersion, *again.mean_dispersion);
}

TEST(GroupAngles, PositivesAreTrainingPairs) {
  const data::Dataset data = data_of(3, 3, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 2}});
  const model::Model model =
      model_of(matrix_of({{1, 0}, {1, 0}, {1, 0}}), matrix_of({{1, 0}, {0, 1}, {-1, 0}}), data,
               model::Score::kCosine);
  Threads threads(2);
  const GroupAngles angles = measure_group_angles(directions_of(model, threads), data, 1, threads);
  EXPECT_NEAR(*angles.positive[0], 90, 1e-4);  // 0, 90 and 180
  EXPECT_NEAR(*angles.positive[1], 45, 1e-4);
  EXPECT_NEAR(*angles.positive[2], 180, 1e-4);
  EXPECT_FALSE(angles.negative[0]) << "the head user owns every item";
  EXPECT_NEAR(*angles.negative[1], 180, 1e-4);
}

TEST(Norms, CorrelateWithLogPopularity) {
  const std::vector<std::uint32_t> popularity{1, 10, 100, 0};
  const std::vector<double> norms{1, 2, 3, 99};  // the last has no training interaction
  EXPECT_NEAR(*norm_correlation(norms, popularity), 1, 1e-12);
  EXPECT_NEAR(row_norms(matrix_of({{3, 4}}))[0], 5, 1e-6);
}

// Three dimensions: all angles between points are those between the vectors.
TEST(Sphere, IsARotationOfThreeDimensions) {
  const data::Dataset data = data_of(1, 8, {{0, 0}});
  Threads threads(1);
  const Directions directions = directions_of(
      model_of(random_rows(1, 3, 3), random_rows(8, 3, 4), data, model::Score::kCosine), threads);
  std::vector<Row> items(8);
  for (Row i = 0; i < 8; ++i) items[i] = i;
  const auto points = sphere_points(directions, 0, items);
  ASSERT_EQ(points.size(), 8U);
  for (Row a = 0; a < 8; ++a) {
    EXPECT_NEAR(points[a][2], product(directions.items.row(a), directions.users.row(0), 3), 1e-5);
    for (Row b = 0; b < 8; ++b) {
      double dot = 0;
      for (std::size_t c = 0; c < 3; ++c) dot += points[a][c] * points[b][c];
      EXPECT_NEAR(dot, product(directions.items.row(a), directions.items.row(b), 3), 1e-5);
    }
  }
}

TEST(Sphere, KeepsTheAngleToTheUserInAnyDimension) {
  for (const std::size_t dim : {2U, 5U, 40U}) {
    const data::Dataset data = data_of(1, 30, {{0, 0}});
    Threads threads(1);
    const Directions directions = directions_of(
        model_of(random_rows(1, dim, 5), random_rows(30, dim, 6), data, model::Score::kCosine),
        threads);
    std::vector<Row> items(30);
    for (Row i = 0; i < 30; ++i) items[i] = i;
    const auto points = sphere_points(directions, 0, items);
    for (Row i = 0; i < 30; ++i) {
      const double length =
          points[i][0] * points[i][0] + points[i][1] * points[i][1] + points[i][2] * points[i][2];
      EXPECT_NEAR(length, 1, 1e-9);
      const double degrees = std::acos(points[i][2]) * 180 / std::numbers::pi;
      EXPECT_NEAR(degrees, degrees_between(directions.users, 0, directions.items, i), 1e-3);
    }
  }
}

TEST(Sphere, LivesWithZerosAndNothing) {
  Threads threads(1);
  const data::Dataset data = data_of(1, 2, {{0, 0}});
  const Directions directions =
      directions_of(model_of(matrix_of({{0, 0, 0}}), matrix_of({{0, 0, 0}, {1, 0, 0}}), data,
                             model::Score::kCosine),
                    threads);
  for (const SpherePoint& point : sphere_points(directions, 0, std::vector<Row>{0, 1})) {
    for (const double value : point) EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_TRUE(sphere_points(directions, 0, {}).empty());
}

}  // namespace
}  // namespace evenkeel::analysis
