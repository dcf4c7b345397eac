// Where the vectors of a model lie. In: a model and its data; out: angles of users to their items,
// compactness, dispersion and norms. All but norms speak of directions: rows of length 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "model/model.h"

namespace evenkeel::analysis {

inline constexpr double kBinDegrees = 5;
inline constexpr std::size_t kAngleBins = 36;

struct Directions {  // rows of length 1; a row of zeros stays zero
  Matrix users, items;
};
Directions directions_of(const model::Model& model, Threads& threads);

double degrees_between(const Matrix& a, std::size_t row_a, const Matrix& b, std::size_t row_b);

struct AngleSummary {
  std::optional<double> mean;                  // degrees; nothing without items
  std::array<double, kAngleBins> histogram{};  // shares of the items, bins of kBinDegrees from 0
};
AngleSummary angles_to_items(const Directions& directions, Row user, std::span<const Row> items);

using GroupFigures = std::array<std::optional<double>, 3>;  // head, mid, tail

// Mean squared distances of unit vectors. Compactness: of a row to the centroid of its positives;
// dispersion: of a row to what it has no training interaction with. Means over the rows that have
// both.
struct Spread {
  GroupFigures compactness, dispersion;
  std::optional<double> mean_compactness, mean_dispersion;
};
Spread measure_spread(const Matrix& own, const Matrix& other, const data::Csr& positives,
                      std::span<const std::uint32_t> own_popularity, Threads& threads);

// Mean angle of the users of a group to their training items, and to a seeded draw of others.
struct GroupAngles {
  GroupFigures positive, negative;  // degrees
};
GroupAngles measure_group_angles(const Directions& directions, const data::Dataset& data,
                                 std::uint64_t seed, Threads& threads);

std::vector<double> row_norms(const Matrix& rows);
// Of the norm with log popularity, over rows with training interactions.
std::optional<double> norm_correlation(std::span<const double> norms,
                                       std::span<const std::uint32_t> popularity);

}  // namespace evenkeel::analysis
