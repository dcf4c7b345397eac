// In: xi of every training pair. Out: its means by row and by group, and correlations.
#include "analysis/bias.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "analysis/correlation.h"
#include "base/error.h"
#include "data/groups.h"

namespace evenkeel::analysis {
namespace {

std::optional<double> mean_of(const Moments& moments) {
  return moments.count > 0 ? std::optional(moments.mean) : std::nullopt;
}

template <typename Visit>
void for_pairs(const data::Dataset& data, Visit visit) {
  for (Row user = 0; user < data.user_count(); ++user) {
    for (const Row item : data.items_of.row(user)) visit(user, item);
  }
}

// About three bins for each doubling of popularity.
std::vector<CurvePoint> trend_of(std::span<const std::optional<double>> degree,
                                 std::span<const std::uint32_t> popularity) {
  constexpr double kBinsPerDoubling = 3;
  std::vector<Moments> count, mean;
  for (std::size_t r = 0; r < degree.size(); ++r) {
    if (!degree[r]) continue;
    const auto bin = static_cast<std::size_t>(kBinsPerDoubling * std::log2(popularity[r]));
    if (bin >= mean.size()) {
      mean.resize(bin + 1);
      count.resize(bin + 1);
    }
    count[bin].add(popularity[r]);
    mean[bin].add(*degree[r]);
  }
  std::vector<CurvePoint> trend;
  for (std::size_t bin = 0; bin < mean.size(); ++bin) {
    if (mean[bin].count > 0) trend.push_back({count[bin].mean, mean[bin].mean});
  }
  return trend;
}

}  // namespace

loss::Margins bias_angles(const data::Dataset& data, const train::ExtractorTables& tables) {
  auto users = loss::classes_of_table(data.user_popularity, tables.users.rows());
  auto items = loss::classes_of_table(data.item_popularity, tables.items.rows());
  EVENKEEL_CHECK(users && items);
  return loss::Margins::from_vectors(loss::find_margin("angle"), 1.0, std::move(*users),
                                     std::move(*items), tables.users, tables.items);
}

NineGroups nine_groups(const loss::Margins& xi, const data::Dataset& data) {
  const std::vector<std::uint8_t> users = data::popularity_thirds(data.user_popularity);
  const std::vector<std::uint8_t> items = data::popularity_thirds(data.item_popularity);
  std::array<std::array<Moments, 3>, 3> moments;
  for_pairs(data, [&](Row user, Row item) {
    moments[users[user]][items[item]].add(xi.of(user, item).angle);
  });
  NineGroups nine;
  for (std::size_t u = 0; u < 3; ++u) {
    for (std::size_t i = 0; i < 3; ++i) {
      nine.count[u][i] = moments[u][i].count;
      if (moments[u][i].count == 0) continue;
      nine.mean[u][i] = moments[u][i].mean;
      nine.sd[u][i] = moments[u][i].population_sd();
    }
  }
  return nine;
}

BiasSide bias_side(std::vector<std::optional<double>> degree,
                   std::span<const std::uint32_t> popularity) {
  BiasSide side;
  std::vector<double> degrees, counts;
  std::map<std::uint32_t, Moments> values;
  for (std::size_t r = 0; r < degree.size(); ++r) {
    if (!degree[r]) continue;
    degrees.push_back(*degree[r]);
    counts.push_back(popularity[r]);
    values[popularity[r]].add(*degree[r]);
  }
  side.count = degrees.size();
  side.pearson_rows = pearson(degrees, counts);
  degrees.clear();
  counts.clear();
  std::vector<double> logs;
  for (const auto& [value, moments] : values) {
    side.by_value.push_back({static_cast<double>(value), moments.mean});
    degrees.push_back(moments.mean);
    counts.push_back(value);
    logs.push_back(std::log(static_cast<double>(value)));
  }
  side.pearson = pearson(degrees, counts);
  side.pearson_log = pearson(degrees, logs);
  side.trend = trend_of(degree, popularity);
  side.degree = std::move(degree);
  return side;
}

Bias measure_bias(const loss::Margins& xi, const data::Dataset& data) {
  std::vector<Moments> of_user(data.user_count()), of_item(data.item_count());
  for_pairs(data, [&](Row user, Row item) {
    const double degree = xi.of(user, item).cosine;
    of_user[user].add(degree);
    of_item[item].add(degree);
  });
  std::vector<std::optional<double>> users, items;
  for (const Moments& moments : of_user) users.push_back(mean_of(moments));
  for (const Moments& moments : of_item) items.push_back(mean_of(moments));
  return {bias_side(std::move(items), data.item_popularity),
          bias_side(std::move(users), data.user_popularity), nine_groups(xi, data)};
}

MarginSummary summarize_margins(const loss::Margins& margins, const data::Dataset& data,
                                const Directions& directions) {
  Moments moments;
  double largest = 0, capped = 0;
  for_pairs(data, [&](Row user, Row item) {
    const double margin = margins.of(user, item).angle;
    const double theta =
        degrees_between(directions.users, user, directions.items, item) * std::numbers::pi / 180;
    moments.add(margin);
    largest = std::max(largest, margin);
    capped += margin > std::numbers::pi - theta ? 1 : 0;
  });
  MarginSummary summary;
  summary.mean = moments.mean;
  summary.sd = moments.population_sd();
  if (moments.count == 0 || largest <= 0) return summary;
  summary.bin_radians = largest / kMarginBins;
  const auto pairs = static_cast<double>(moments.count);
  summary.capped_share = capped / pairs;
  for_pairs(data, [&](Row user, Row item) {
    const auto bin = static_cast<std::size_t>(margins.of(user, item).angle / summary.bin_radians);
    summary.histogram[std::min(bin, kMarginBins - 1)] += 1 / pairs;
  });
  return summary;
}

}  // namespace evenkeel::analysis
