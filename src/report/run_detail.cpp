// In: a model, its data, what the page shows. Out: exposure, geometry, margins, lists and figures
// as JSON.
#include "report/run_detail.h"

#include <algorithm>
#include <cmath>

#include "analysis/bias.h"
#include "analysis/correlation.h"
#include "analysis/exposure.h"
#include "analysis/geometry.h"
#include "analysis/sphere.h"
#include "data/groups.h"
#include "eval/ranker.h"
#include "loss/registry.h"
#include "rank/correction.h"
#include "report/analysis_json.h"
#include "report/front_json.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

using nlohmann::json;

constexpr std::size_t kNormPoints = 600;
constexpr std::size_t kHardPairs = 5;  // of each item group

std::vector<Row> mapped(const std::vector<Row>& rows, const std::vector<Row>& to) {
  std::vector<Row> out;
  out.reserve(rows.size());
  for (const Row row : rows) out.push_back(to[row]);
  return out;
}

json metrics_json(const eval::MetricSet& set) {
  json out = json::object();
  for (const eval::MetricEntry& metric : eval::metric_table()) {
    out[std::string(metric.name)] = number(set.*metric.field);
  }
  return out;
}

json groups_json(const std::array<eval::MetricSet, 3>& groups) {
  json out = json::array();
  for (const eval::MetricSet& set : groups) {
    json one = metrics_json(set);
    one["users"] = set.users;
    out.push_back(std::move(one));
  }
  return out;
}

// 95 % of the mean over users, by the normal approximation.
json interval_json(const eval::Evaluation& evaluation, double eval::UserResult::*figure) {
  analysis::Moments moments;
  for (const eval::UserResult& user : evaluation.per_user) moments.add(user.*figure);
  const double half = 1.96 * moments.sample_sd().value_or(0) /
                      std::sqrt(static_cast<double>(std::max<std::size_t>(moments.count, 1)));
  return {number(moments.mean - half), number(moments.mean + half)};
}

json evaluation_json(const std::string& part, const eval::Evaluation& evaluation) {
  json exposure = json::object();
  for (const eval::ExposureEntry& entry : eval::exposure_table()) {
    exposure[std::string(entry.name)] = number(evaluation.*entry.field);
  }
  return {{"part", part},
          {"users", evaluation.overall.users},
          {"metrics", metrics_json(evaluation.overall)},
          {"intervals",
           {{"recall", interval_json(evaluation, &eval::UserResult::recall)},
            {"ndcg", interval_json(evaluation, &eval::UserResult::ndcg)}}},
          {"exposure", std::move(exposure)},
          {"items", groups_json(evaluation.item_groups)},
          {"user_groups", groups_json(evaluation.user_groups)}};
}

// Validation, and parts that a refit has trained on, as training recorded them.
void evaluate_parts(const RunRecord& run, const LoadedRun& loaded, Threads& threads,
                    RunDetail& detail) {
  detail.evaluations = json::array();
  const auto is_held = [&](const json& part) {
    return std::any_of(loaded.data->tests.begin(), loaded.data->tests.end(),
                       [&](const data::Part& test) { return part == test.name; });
  };
  for (json& recorded : recorded_evaluations(run.result)) {
    if (!is_held(recorded["part"])) detail.evaluations.push_back(std::move(recorded));
  }
  eval::EvaluateOptions options;
  options.k = kReportK;
  options.per_user = true;
  const std::string users = run.text("evaluation-users");
  if (!users.empty()) options.users = eval::parse_user_limit(users, "evaluation-users");
  const rank::ModelRanking ranking(loaded.model, threads);
  for (const data::Part& test : loaded.data->tests) {
    if (test.interactions() == 0) continue;
    detail.figures.push_back(
        eval::evaluate_part(ranking.view(), *loaded.data, test, options, threads));
    detail.parts.push_back(test.name);
    detail.evaluations.push_back(evaluation_json(test.name, detail.figures.back()));
  }
}

json user_angles_json(const analysis::Directions& directions, const PickedUser& picked,
                      const RowMap& map) {
  const Row user = map.users[picked.user];
  const analysis::AngleSummary positive =
      analysis::angles_to_items(directions, user, mapped(picked.positive, map.items));
  const analysis::AngleSummary held_out =
      analysis::angles_to_items(directions, user, mapped(picked.held_out, map.items));
  const analysis::AngleSummary negative =
      analysis::angles_to_items(directions, user, mapped(picked.negative, map.items));
  std::vector<Row> drawn = mapped(picked.shown_positive, map.items);
  for (const auto* list : {&picked.shown_held_out, &picked.shown_negative}) {
    for (const Row item : *list) drawn.push_back(map.items[item]);
  }
  const std::vector<analysis::SpherePoint> points =
      analysis::sphere_points(directions, user, drawn);
  std::size_t next = 0;
  const auto take = [&](std::size_t count) {
    json list = json::array();
    for (std::size_t n = 0; n < count; ++n) list.push_back(point_json(points[next++]));
    return list;
  };
  json sphere{{"positive", take(picked.shown_positive.size())}};
  sphere["held_out"] = take(picked.shown_held_out.size());
  sphere["negative"] = take(picked.shown_negative.size());
  return {{"mean_positive", number(positive.mean)},
          {"mean_held_out", number(held_out.mean)},
          {"mean_negative", number(negative.mean)},
          {"positive", numbers(positive.histogram)},
          {"held_out", numbers(held_out.histogram)},
          {"negative", numbers(negative.histogram)},
          {"sphere", std::move(sphere)}};
}

json norms_json(const LoadedRun& loaded) {
  const std::vector<double> norms = analysis::row_norms(loaded.model.items);
  const auto& popularity = loaded.data->item_popularity;
  const std::vector<Row> order = data::rows_by_popularity(popularity);
  json points = json::array();
  for (const std::size_t place : spread_places(order.size(), kNormPoints)) {
    points.push_back({popularity[order[place]], number(norms[order[place]])});
  }
  return {{"points", std::move(points)},
          {"pearson", number(analysis::norm_correlation(norms, popularity))}};
}

// One dimension has two directions only: nothing to draw.
json geometry_json(const LoadedRun& loaded, const analysis::Directions& directions,
                   const PageSelection& selection, const std::optional<RowMap>& map,
                   Threads& threads) {
  if (loaded.model.users.dim() < 2) return {};
  const data::Dataset& data = *loaded.data;
  const analysis::GroupAngles angles = analysis::measure_group_angles(directions, data, 1, threads);
  const analysis::Spread users = analysis::measure_spread(
      directions.users, directions.items, data.items_of, data.user_popularity, threads);
  const analysis::Spread items = analysis::measure_spread(
      directions.items, directions.users, data.users_of, data.item_popularity, threads);
  json chosen = json::array();
  if (map) {
    for (const PickedUser& picked : selection.users) {
      chosen.push_back(user_angles_json(directions, picked, *map));
    }
  }
  return {{"true_3d", loaded.model.users.dim() == 3},
          {"users", std::move(chosen)},
          {"bin_degrees", analysis::kBinDegrees},
          {"positive_degrees", numbers(angles.positive)},
          {"negative_degrees", numbers(angles.negative)},
          {"user_compactness", numbers(users.compactness)},
          {"item_compactness", numbers(items.compactness)},
          {"user_dispersion", numbers(users.dispersion)},
          {"item_dispersion", numbers(items.dispersion)},
          {"compactness", number(users.mean_compactness)},
          {"dispersion", number(users.mean_dispersion)},
          {"norms", norms_json(loaded)}};
}

std::vector<analysis::HardPair> in_page_rows(std::vector<analysis::HardPair> pairs,
                                             const RowMap& map) {
  std::vector<Row> users_back(map.users.size());
  for (Row row = 0; row < map.users.size(); ++row) users_back[map.users[row]] = row;
  for (analysis::HardPair& pair : pairs) {
    pair.user = users_back[pair.user];
    pair.item = map.items_back[pair.item];
  }
  return pairs;
}

json margins_json(const RunRecord& run, const LoadedRun& loaded,
                  const analysis::Directions& directions, const std::optional<RowMap>& map,
                  std::vector<analysis::HardPair>& hard) {
  const Settings& settings = *run.settings;
  if (!loss::find_loss(settings.text("loss")).uses_margins) return {};
  const bool extracts = train::needs_extractor(settings);
  const std::optional<train::ExtractorTables> tables = extractor_of(loaded);
  if (extracts && !tables) return {};
  const data::Dataset& data = *loaded.data;
  const loss::Margins margins =
      train::make_margins(data, settings, tables.value_or(train::ExtractorTables{}));
  const analysis::MarginSummary summary = analysis::summarize_margins(margins, data, directions);
  json out{{"kind", settings.text("margin")},
           {"strength", number(settings.number("margin-strength"))},
           {"bin_radians", number(summary.bin_radians)},
           {"histogram", numbers(summary.histogram)},
           {"mean", number(summary.mean)},
           {"sd", number(summary.sd)},
           {"capped_share", number(summary.capped_share)},
           {"hardest", json::array()},
           {"nine", nullptr},
           {"pearson_items", nullptr},
           {"pearson_users", nullptr}};
  if (!extracts) return out;
  if (map) hard = in_page_rows(analysis::hardest_pairs(margins, data, kHardPairs), *map);
  const analysis::Bias bias = analysis::measure_bias(analysis::bias_angles(data, *tables), data);
  out["nine"] = nine_json(bias.nine);
  out["pearson_items"] = number(bias.items.pearson);
  out["pearson_users"] = number(bias.users.pearson);
  return out;
}

// Training items are left out. Held-out items are not, unlike in `evenkeel recommend`: here they
// are to be hit.
json explore_json(const LoadedRun& loaded, PageSelection& selection, const RowMap& map,
                  Threads& threads) {
  eval::Ranker ranker;
  const rank::ModelRanking ranking(loaded.model, threads);
  ranker.prepare(ranking.view(), threads);
  std::vector<std::vector<Row>> lists(selection.explore.size());
  ranker.rank(mapped(selection.explore, map.users), &loaded.model.known, kReportK, threads,
              [&](std::size_t place, std::span<const kernels::Ranked> list, int) {
                for (const kernels::Ranked& entry : list) {
                  lists[place].push_back(map.items_back[entry.item]);
                }
              });
  json out = json::array();
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const std::vector<Row> held_out = held_out_items(selection.data, selection.explore[n]);
    json hits = json::array();
    for (std::size_t place = 0; place < lists[n].size(); ++place) {
      if (std::binary_search(held_out.begin(), held_out.end(), lists[n][place])) {
        hits.push_back(place);
      }
    }
    out.push_back({{"items", selection.items.indices(lists[n])}, {"hits", std::move(hits)}});
  }
  return out;
}

}  // namespace

RunDetail analyze_run(const RunRecord& run, const LoadedRun& loaded, PageSelection& selection,
                      const std::optional<analysis::FrontAxes>& axes, Threads& threads) {
  RunDetail detail;
  evaluate_parts(run, loaded, threads, detail);
  const std::vector<std::uint64_t> counts =
      analysis::count_exposure(loaded.model, kReportK, threads);
  detail.exposure = exposure_json(analysis::measure_exposure(counts, loaded.data->item_popularity));
  detail.exposure["lists"] = analysis::listed_users(loaded.model).size();
  const analysis::Directions directions = analysis::directions_of(loaded.model, threads);
  const std::optional<RowMap> map = map_rows(selection.data, loaded.model);
  detail.geometry = geometry_json(loaded, directions, selection, map, threads);
  detail.margins = margins_json(run, loaded, directions, map, detail.hard);
  if (map) {
    for (const Row item : map->items) detail.shown.push_back(counts[item]);
  }
  detail.explore = map ? explore_json(loaded, selection, *map, threads) : json::array();
  if (axes && map) detail.front = front_json(loaded, *axes, selection, *map, threads);
  return detail;
}

std::vector<std::size_t> ranks_of(const std::vector<analysis::HardPair>& pairs,
                                  const LoadedRun& loaded, const data::Dataset& data,
                                  Threads& threads) {
  const std::optional<RowMap> map = map_rows(data, loaded.model);
  if (!map) return {};
  const rank::ModelRanking ranking(loaded.model, threads);
  std::vector<std::size_t> ranks;
  ranks.reserve(pairs.size());
  for (const analysis::HardPair& pair : pairs) {
    ranks.push_back(analysis::rank_of_pair(ranking.view(), loaded.model.known,
                                           map->users[pair.user], map->items[pair.item]));
  }
  return ranks;
}

json recorded_evaluations(const json& result) {
  const std::string at = "@" + std::to_string(kReportK);
  const auto figures = [&](const json& entry, auto table) {
    json out = json::object();
    for (const auto& figure : table) {
      const auto found = entry.find(std::string(figure.name) + at);
      if (found != entry.end() && found->is_number()) {
        out[std::string(figure.name)] = number(found->get<double>());
      }
    }
    return out;
  };
  const auto groups = [&](const std::string& part, const char* side) {
    const json& entry = result.value("groups", json::object()).value(part, json::object());
    if (!entry.contains(side)) return json();
    json out = json::array();
    for (const std::string_view group : eval::kGroupNames) {
      const json one = entry[side].value(std::string(group), json::object());
      out.push_back(figures(one, eval::metric_table()));
      out.back()["users"] = one.value("users", json(0));
    }
    return out;
  };
  json list = json::array();
  const auto add = [&](const std::string& part, const json& entry) {
    list.push_back({{"part", part},
                    {"users", entry.value("users", json(0))},
                    {"metrics", figures(entry, eval::metric_table())},
                    {"intervals", json::object()},
                    {"exposure", figures(entry, eval::exposure_table())},
                    {"items", groups(part, "items")},
                    {"user_groups", groups(part, "users")}});
  };
  const json evaluations = result.value("evaluations", json::object());
  if (evaluations.contains("valid")) add("valid", evaluations["valid"]);
  for (const auto& [part, entry] : evaluations.items()) {
    if (part != "valid" && entry.is_object()) add(part, entry);
  }
  return list;
}

std::optional<train::ExtractorTables> extractor_of(const LoadedRun& loaded) {
  const model::Model& model = loaded.model;
  const auto users = model.extra_tables.find("extractor_users");
  const auto items = model.extra_tables.find("extractor_items");
  if (users == model.extra_tables.end() || items == model.extra_tables.end()) return std::nullopt;
  // A damaged file must not become a wrong lookup: one row for each popularity class.
  if (!loss::classes_of_table(loaded.data->user_popularity, users->second.rows()) ||
      !loss::classes_of_table(loaded.data->item_popularity, items->second.rows()) ||
      users->second.dim() != items->second.dim()) {
    return std::nullopt;
  }
  return train::ExtractorTables{users->second, items->second};
}

}  // namespace evenkeel::report
