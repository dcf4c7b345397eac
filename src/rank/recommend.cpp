// In: a model and who or what to look for. Out: ranked items; the model is not changed.
#include "rank/recommend.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "data/groups.h"
#include "model/model_data.h"
#include "rank/correction.h"

namespace evenkeel::rank {
namespace {

Matrix rows_of(const Matrix& table, std::span<const Row> rows) {
  Matrix chosen(rows.size(), table.dim());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(table.row(rows[r]), table.stride(), chosen.row(r));
  }
  return chosen;
}

// Masks in the numbering of `only`: its positions instead of item rows.
data::Csr masks_among(const data::Csr& masked, std::span<const Row> only) {
  data::Csr result;
  for (std::size_t r = 0; r < masked.rows(); ++r) {
    for (const Row item : masked.row(r)) {
      const auto place = std::lower_bound(only.begin(), only.end(), item);
      if (place != only.end() && *place == item) {
        result.columns.push_back(static_cast<Row>(place - only.begin()));
      }
    }
    result.offsets.push_back(result.columns.size());
  }
  return result;
}

// The best of the view's items for one of its users, whose own number is left out.
std::vector<kernels::Ranked> nearest_rows(const eval::VectorView& view, Row row, std::size_t k,
                                          Threads& threads) {
  eval::Ranker ranker;
  ranker.prepare(view, threads);
  data::Csr itself;  // by row: only the one that is asked for holds anything
  itself.offsets.assign(view.users.rows() + 1, 0);
  std::fill(itself.offsets.begin() + row + 1, itself.offsets.end(), 1);
  itself.columns = {row};
  std::vector<kernels::Ranked> result;
  ranker.rank(std::span<const Row>(&row, 1), &itself, k, threads,
              [&](std::size_t, std::span<const kernels::Ranked> list, int) {
                result.assign(list.begin(), list.end());
              });
  return result;
}

}  // namespace

void rank_lists(const ListRequest& request, Threads& threads, std::span<std::int64_t> items,
                std::span<float> scores) {
  const std::size_t k = request.k, queries = request.vectors.users.rows();
  EVENKEEL_CHECK(k > 0 && items.size() == queries * k && scores.size() == queries * k);
  const std::span<const Row> only = request.only;
  const Matrix chosen = rows_of(request.vectors.items, only);
  const data::Csr masks =
      request.masked != nullptr && !only.empty() ? masks_among(*request.masked, only) : data::Csr{};
  const data::Csr* masked = request.masked != nullptr && !only.empty() ? &masks : request.masked;
  std::vector<Row> rows(queries);
  std::iota(rows.begin(), rows.end(), Row{0});
  std::fill(items.begin(), items.end(), kNoItem);
  std::fill(scores.begin(), scores.end(), -std::numeric_limits<float>::infinity());
  eval::Ranker ranker;
  ranker.prepare(
      {request.vectors.users, only.empty() ? request.vectors.items : chosen, request.vectors.score},
      threads);
  ranker.rank(rows, masked, k, threads,
              [&](std::size_t q, std::span<const kernels::Ranked> list, int) {
                for (std::size_t place = 0; place < list.size(); ++place) {
                  const Row item = list[place].item;
                  items[q * k + place] = only.empty() ? item : only[item];
                  scores[q * k + place] = list[place].score;
                }
              });
}

std::vector<std::vector<kernels::Ranked>> recommend(const model::Model& model,
                                                    std::span<const Row> users, std::size_t k,
                                                    bool filter_seen, Threads& threads) {
  if (k == 0) fail_config("k is 0; ask for at least 1 item per user");
  for (const Row user : users) EVENKEEL_CHECK(user < model.users.rows());
  const ModelRanking ranking(model, threads);
  const Matrix asking = rows_of(ranking.view().users, users);
  const data::Csr masks = filter_seen ? model::seen_items(model, users) : data::Csr{};
  std::vector<Row> places(users.size());
  std::iota(places.begin(), places.end(), Row{0});
  eval::Ranker ranker;
  ranker.prepare({asking, ranking.view().items, ranking.view().score}, threads);
  std::vector<std::vector<kernels::Ranked>> lists(users.size());
  ranker.rank(places, filter_seen ? &masks : nullptr, k, threads,
              [&](std::size_t index, std::span<const kernels::Ranked> list, int) {
                lists[index].assign(list.begin(), list.end());
              });
  return lists;
}

void check_likeness_debias(const model::Model& model) {
  if (model.score == model::Score::kCosine) return;
  fail_config(
      "similar items are compared by cosine, and the temperature of this model is that of its "
      "dot products; leave --debias out");
}

std::vector<kernels::Ranked> similar_items(const model::Model& model, Row item, std::size_t k,
                                           double debias, Threads& threads) {
  if (k == 0) fail_config("k is 0; ask for at least 1 item");
  EVENKEEL_CHECK(item < model.items.rows());
  const eval::VectorView cosines{model.items, model.items, model::Score::kCosine};
  CorrectedVectors with;
  if (check_debias(debias) > 0) {
    check_likeness_debias(model);
    with = corrected(cosines, model.item_popularity, {debias, need_temperature(model, threads)},
                     threads);
  }
  return nearest_rows(debias > 0 ? with.view() : cosines, item, k, threads);
}

std::vector<kernels::Ranked> similar_users(const model::Model& model, Row user, std::size_t k,
                                           Threads& threads) {
  if (k == 0) fail_config("k is 0; ask for at least 1 user");
  EVENKEEL_CHECK(user < model.users.rows());
  return nearest_rows({model.users, model.users, model::Score::kCosine}, user, k, threads);
}

PopularItems::PopularItems(const model::Model& model)
    : popularity_(model.item_popularity), order_(data::rows_by_popularity(popularity_)) {}

std::vector<kernels::Ranked> PopularItems::list(std::size_t k, std::span<const Row> seen) const {
  std::vector<kernels::Ranked> result;
  for (const Row item : order_) {
    if (result.size() == k) break;
    if (std::binary_search(seen.begin(), seen.end(), item)) continue;
    result.push_back({static_cast<float>(popularity_[item]), item});
  }
  return result;
}

}  // namespace evenkeel::rank
