// In: unit vectors. Out: angles, compactness and dispersion; sums run in a fixed order.
#include "analysis/geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/correlation.h"
#include "base/error.h"
#include "base/rng.h"
#include "data/groups.h"
#include "kernels/rows.h"

namespace evenkeel::analysis {
namespace {

constexpr std::size_t kGrain = 256;
constexpr std::uint32_t kDrawn = 32;  // negatives per user for the mean angle of its group

Matrix unit_rows(const Matrix& rows, Threads& threads) {
  Matrix unit(rows.rows(), rows.dim());
  threads.for_chunks(rows.rows(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = begin; r < end; ++r) {
      double square = 0;
      for (const float value : rows.values(r)) square += double{value} * value;
      const double inverse = square > 0 ? 1.0 / std::sqrt(square) : 0.0;
      for (std::size_t c = 0; c < rows.dim(); ++c) {
        unit.row(r)[c] = static_cast<float>(double{rows.row(r)[c]} * inverse);
      }
    }
  });
  return unit;
}

double square_of(std::span<const float> row) {
  double sum = 0;
  for (const float value : row) sum += double{value} * value;
  return sum;
}

void add_to(std::vector<double>& sum, std::span<const float> row) {
  for (std::size_t c = 0; c < row.size(); ++c) sum[c] += double{row[c]};
}

// One figure per row, or nothing: threads write rows, one thread takes the means afterwards.
GroupFigures group_means(std::span<const std::optional<double>> figures,
                         std::span<const std::uint8_t> group, std::optional<double>* over_all) {
  std::array<Moments, 3> by_group;
  Moments all;
  for (std::size_t r = 0; r < figures.size(); ++r) {
    if (!figures[r]) continue;
    by_group[group[r]].add(*figures[r]);
    all.add(*figures[r]);
  }
  if (over_all != nullptr && all.count > 0) *over_all = all.mean;
  GroupFigures means;
  for (std::size_t g = 0; g < means.size(); ++g) {
    if (by_group[g].count > 0) means[g] = by_group[g].mean;
  }
  return means;
}

}  // namespace

Directions directions_of(const model::Model& model, Threads& threads) {
  return {unit_rows(model.users, threads), unit_rows(model.items, threads)};
}

double degrees_between(const Matrix& a, std::size_t row_a, const Matrix& b, std::size_t row_b) {
  const double cosine = kernels::dot(a.row(row_a), b.row(row_b), a.stride());
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

AngleSummary angles_to_items(const Directions& directions, Row user, std::span<const Row> items) {
  AngleSummary summary;
  Moments angles;
  for (const Row item : items) {
    const double degrees = degrees_between(directions.users, user, directions.items, item);
    angles.add(degrees);
    const auto bin = static_cast<std::size_t>(degrees / kBinDegrees);
    summary.histogram[std::min(bin, kAngleBins - 1)] += 1;
  }
  if (angles.count == 0) return summary;
  summary.mean = angles.mean;
  for (double& share : summary.histogram) share /= static_cast<double>(angles.count);
  return summary;
}

// |v - w|^2 summed over the negatives w needs no loop over them: the sums over all rows less those
// over the positives give |v|^2 + mean |w|^2 - 2 v . mean w exactly.
Spread measure_spread(const Matrix& own, const Matrix& other, const data::Csr& positives,
                      std::span<const std::uint32_t> own_popularity, Threads& threads) {
  EVENKEEL_CHECK(own.rows() == positives.rows() && own.dim() == other.dim());
  std::vector<double> all(own.dim(), 0.0);
  double all_squares = 0;
  for (std::size_t r = 0; r < other.rows(); ++r) {
    add_to(all, other.values(r));
    all_squares += square_of(other.values(r));
  }
  std::vector<std::optional<double>> compactness(own.rows()), dispersion(own.rows());
  threads.for_chunks(own.rows(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> sum;
    for (std::size_t r = begin; r < end; ++r) {
      const auto held = positives.row(r);
      if (held.empty() || held.size() == other.rows()) continue;
      sum.assign(own.dim(), 0.0);
      double squares = 0;
      for (const Row row : held) {
        add_to(sum, other.values(row));
        squares += square_of(other.values(row));
      }
      const auto count = static_cast<double>(held.size());
      const auto others = static_cast<double>(other.rows() - held.size());
      const double own_square = square_of(own.values(r));
      double to_centroid = 0, to_others = 0;
      for (std::size_t c = 0; c < own.dim(); ++c) {
        const double value = own.row(r)[c];
        const double difference = value - sum[c] / count;
        to_centroid += difference * difference;
        to_others += value * (all[c] - sum[c]);
      }
      compactness[r] = to_centroid;
      dispersion[r] = own_square + (all_squares - squares) / others - 2 * to_others / others;
    }
  });
  const std::vector<std::uint8_t> group = data::popularity_thirds(own_popularity);
  Spread spread;
  spread.compactness = group_means(compactness, group, &spread.mean_compactness);
  spread.dispersion = group_means(dispersion, group, &spread.mean_dispersion);
  return spread;
}

GroupAngles measure_group_angles(const Directions& directions, const data::Dataset& data,
                                 std::uint64_t seed, Threads& threads) {
  const Random random(seed, Purpose::kAnalysis);
  const auto items = static_cast<std::uint32_t>(data.item_count());
  std::vector<std::optional<double>> positive(data.user_count()), negative(data.user_count());
  threads.for_chunks(data.user_count(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t user = begin; user < end; ++user) {
      if (data.items_of.count(user) == 0) continue;
      Moments to_own, to_others;
      for (const Row item : data.items_of.row(user)) {
        to_own.add(degrees_between(directions.users, user, directions.items, item));
      }
      Draws draws(random, static_cast<std::uint32_t>(user));
      for (std::uint32_t n = 0; n < kDrawn; ++n) {
        const Row item = draws.below(items);
        if (data.items_of.contains(user, item)) continue;
        to_others.add(degrees_between(directions.users, user, directions.items, item));
      }
      positive[user] = to_own.mean;
      if (to_others.count > 0) negative[user] = to_others.mean;
    }
  });
  const std::vector<std::uint8_t> group = data::popularity_thirds(data.user_popularity);
  return {group_means(positive, group, nullptr), group_means(negative, group, nullptr)};
}

std::vector<double> row_norms(const Matrix& rows) {
  std::vector<double> norms(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) norms[r] = std::sqrt(square_of(rows.values(r)));
  return norms;
}

std::optional<double> norm_correlation(std::span<const double> norms,
                                       std::span<const std::uint32_t> popularity) {
  std::vector<double> kept, logs;
  for (std::size_t r = 0; r < norms.size(); ++r) {
    if (popularity[r] == 0) continue;
    kept.push_back(norms[r]);
    logs.push_back(std::log(static_cast<double>(popularity[r])));
  }
  return pearson(kept, logs);
}

}  // namespace evenkeel::analysis
