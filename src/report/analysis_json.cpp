// In: analysis structs. Out: JSON.
#include "report/analysis_json.h"

#include <algorithm>
#include <cmath>

#include "data/groups.h"
#include "eval/evaluate.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

// Ranks 1, 2, 3, ... then ever wider steps: a straight line of dots on a logarithmic axis.
json rank_json(std::span<const std::uint32_t> popularity) {
  constexpr double kStep = 1.04;
  std::vector<std::uint32_t> sorted(popularity.begin(), popularity.end());
  std::sort(sorted.rbegin(), sorted.rend());
  json points = json::array();
  for (std::size_t rank = 1; rank <= sorted.size() && sorted[rank - 1] > 0;) {
    points.push_back({rank, sorted[rank - 1]});
    rank = std::max(rank + 1, static_cast<std::size_t>(static_cast<double>(rank) * kStep));
  }
  return points;
}

json side_json(const analysis::BiasSide& side, std::span<const std::uint32_t> popularity) {
  std::vector<Row> rows;
  for (const Row row : data::rows_by_popularity(popularity)) {
    if (side.degree[row]) rows.push_back(row);
  }
  json points = json::array();
  for (const std::size_t place : spread_places(rows.size(), kBiasPoints)) {
    points.push_back({popularity[rows[place]], number(side.degree[rows[place]])});
  }
  std::vector<analysis::CurvePoint> kept;
  for (const std::size_t place : spread_places(side.by_value.size(), kBiasPoints)) {
    kept.push_back(side.by_value[place]);
  }
  json by_value = curve_json(kept);
  return {{"pearson", number(side.pearson)},
          {"pearson_log", number(side.pearson_log)},
          {"pearson_rows", number(side.pearson_rows)},
          {"by_value", std::move(by_value)},
          {"points", std::move(points)},
          {"trend", curve_json(side.trend)},
          {"count", side.count}};
}

}  // namespace

json curve_json(const std::vector<analysis::CurvePoint>& curve) {
  json points = json::array();
  for (const analysis::CurvePoint& point : curve)
    points.push_back({number(point.x), number(point.y)});
  return points;
}

json point_json(const analysis::SpherePoint& point) {
  json list = json::array();
  for (const double value : point) list.push_back(number(std::round(value * 1000) / 1000));
  return list;
}

json exposure_json(const analysis::Exposure& exposure) {
  return {{"lorenz", curve_json(exposure.lorenz)},
          {"gini", number(exposure.gini)},
          {"coverage", number(exposure.coverage)},
          {"tail_share", number(exposure.tail_share)},
          {"mean_popularity", number(exposure.mean_popularity)},
          {"group_share", numbers(exposure.group_share)},
          {"decile_share", numbers(exposure.decile_share)},
          {"slice_share", numbers(exposure.slice_share)},
          {"lift", numbers(exposure.lift)}};
}

json nine_json(const analysis::NineGroups& nine) {
  json mean = json::array(), sd = mean, count = mean;
  for (std::size_t u = 0; u < 3; ++u) {
    mean.push_back(numbers(nine.mean[u]));
    sd.push_back(numbers(nine.sd[u]));
    count.push_back(nine.count[u]);
  }
  return {{"mean", std::move(mean)}, {"sd", std::move(sd)}, {"count", std::move(count)}};
}

json popularity_json(const data::Dataset& data) {
  const std::vector<std::uint64_t> counts(data.item_popularity.begin(), data.item_popularity.end());
  return {{"items", rank_json(data.item_popularity)},
          {"users", rank_json(data.user_popularity)},
          {"lorenz", curve_json(analysis::lorenz_curve(counts))},
          {"gini", number(eval::gini_of(counts))},
          {"decile_share", numbers(analysis::decile_shares(counts, data.item_popularity))},
          {"slice_share", numbers(analysis::slice_shares(counts, data.item_popularity))},
          {"group_share", numbers(analysis::group_shares(counts, data.item_popularity))}};
}

json bias_json(const analysis::Bias& bias, const data::Dataset& data, std::string_view source) {
  return {{"source", source},
          {"items", side_json(bias.items, data.item_popularity)},
          {"users", side_json(bias.users, data.user_popularity)},
          {"nine", nine_json(bias.nine)}};
}

}  // namespace evenkeel::report
