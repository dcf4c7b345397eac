// In: models. Out: what every strength of the popularity correction makes of them.
#include "report/front_json.h"

#include <algorithm>

#include "analysis/front_detail.h"
#include "base/error.h"
#include "rank/correction.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

json stop_json(const analysis::FrontStop& stop) {
  return {{"debias", number(stop.point.debias)},
          {"logged", number(stop.point.logged)},
          {"balanced", number(stop.point.balanced)},
          {"logged_ndcg", number(stop.point.logged_ndcg)},
          {"balanced_ndcg", number(stop.point.balanced_ndcg)},
          {"logged_items", numbers(stop.logged_items)},
          {"balanced_items", numbers(stop.balanced_items)},
          {"gini", number(stop.exposure.gini)},
          {"coverage", number(stop.exposure.coverage)},
          {"mean_popularity", number(stop.exposure.mean_popularity)},
          {"group_share", numbers(stop.exposure.group_share)},
          {"slice_share", numbers(stop.exposure.slice_share)},
          {"lift", numbers(stop.exposure.lift)}};
}

std::vector<Row> dial_users(const PageSelection& selection) {
  const std::size_t count = std::min(kDialUsers, selection.explore.size());
  return {selection.explore.begin(),
          selection.explore.begin() + static_cast<std::ptrdiff_t>(count)};
}

json pool_json(const analysis::ListPool& pool, Row user, PageSelection& selection,
               const RowMap& map) {
  const std::vector<Row> held_out = held_out_items(selection.data, user);
  std::vector<Row> items;
  json hits = json::array();
  for (std::size_t n = 0; n < pool.items.size(); ++n) {
    items.push_back(map.items_back[pool.items[n]]);
    if (std::binary_search(held_out.begin(), held_out.end(), items.back())) hits.push_back(n);
  }
  return {{"items", selection.items.indices(items)},
          {"scores", numbers(pool.scores)},
          {"hits", std::move(hits)}};
}

}  // namespace

std::optional<analysis::FrontAxes> front_axes_of(const data::Dataset& data) {
  if (rank::evenly_popular(data.item_popularity)) return std::nullopt;
  try {
    return analysis::front_axes(data);
  } catch (const Error&) {  // the page says that there is nothing to measure
    return std::nullopt;
  }
}

json axes_json(const std::optional<analysis::FrontAxes>& axes, const PageSelection& selection) {
  if (!axes) return {};
  return {{"logged", axes->logged},
          {"balanced", axes->balanced},
          {"estimated", axes->estimated},
          {"users", dial_users(selection).size()}};
}

json front_json(const LoadedRun& loaded, const analysis::FrontAxes& axes, PageSelection& selection,
                const RowMap& map, Threads& threads) {
  const std::vector<Row> users = dial_users(selection);
  std::vector<Row> rows;
  rows.reserve(users.size());
  for (const Row user : users) rows.push_back(map.users[user]);
  analysis::FrontDetail detail;
  try {
    detail = analysis::trace_front_detail(loaded.model, *loaded.data, axes, rows, threads);
  } catch (const Error&) {  // no temperature, or other tests than the rest
    return {};
  }
  json stops = json::array(), pools = json::array();
  for (const analysis::FrontStop& stop : detail.stops) stops.push_back(stop_json(stop));
  for (std::size_t n = 0; n < users.size(); ++n) {
    pools.push_back(pool_json(detail.pools[n], users[n], selection, map));
  }
  return {{"temperature", number(detail.temperature)},
          {"debias", number(loaded.model.debias)},
          {"area", number(detail.area)},
          {"logged_users", detail.logged_users},
          {"balanced_users", detail.balanced_users},
          {"list_users", detail.list_users},
          {"stops", std::move(stops)},
          {"pools", std::move(pools)}};
}

}  // namespace evenkeel::report
