// In: a model and who or what to look for. Out: ranked items; the model is not changed.
#include "eval/recommend.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace evenkeel {
namespace {

Matrix rows_of(const Matrix& table, std::span<const Row> rows) {
  Matrix chosen(rows.size(), table.dim());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(table.row(rows[r]), table.stride(), chosen.row(r));
  }
  return chosen;
}

// Masks in the numbering of `only`: its positions instead of item rows.
Csr masks_among(const Csr& masked, std::span<const Row> only) {
  Csr result;
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

}  // namespace

void rank_lists(const ListRequest& request, Threads& threads, std::span<std::int64_t> items,
                std::span<float> scores) {
  const std::size_t k = request.k, queries = request.vectors.users.rows();
  EVENKEEL_CHECK(k > 0 && items.size() == queries * k && scores.size() == queries * k);
  const std::span<const Row> only = request.only;
  const Matrix chosen = rows_of(request.vectors.items, only);
  const Csr masks =
      request.masked != nullptr && !only.empty() ? masks_among(*request.masked, only) : Csr{};
  const Csr* masked = request.masked != nullptr && !only.empty() ? &masks : request.masked;
  std::vector<Row> rows(queries);
  std::iota(rows.begin(), rows.end(), Row{0});
  std::fill(items.begin(), items.end(), kNoItem);
  std::fill(scores.begin(), scores.end(), -std::numeric_limits<float>::infinity());
  Ranker ranker;
  ranker.prepare(
      {request.vectors.users, only.empty() ? request.vectors.items : chosen, request.vectors.score},
      threads);
  ranker.rank(rows, masked, k, threads, [&](std::size_t q, std::span<const Ranked> list, int) {
    for (std::size_t place = 0; place < list.size(); ++place) {
      const Row item = list[place].item;
      items[q * k + place] = only.empty() ? item : only[item];
      scores[q * k + place] = list[place].score;
    }
  });
}

std::vector<std::vector<Ranked>> recommend(const Model& model, std::span<const Row> users,
                                           std::size_t k, bool filter_known, Threads& threads) {
  if (k == 0) fail_config("k is 0; ask for at least 1 item a user");
  for (const Row user : users) EVENKEEL_CHECK(user < model.users.rows());
  Ranker ranker;
  ranker.prepare({model.users, model.items, model.score}, threads);
  std::vector<std::vector<Ranked>> lists(users.size());
  const Csr* masked = filter_known ? &model.known : nullptr;
  ranker.rank(users, masked, k, threads, [&](std::size_t index, std::span<const Ranked> list, int) {
    lists[index].assign(list.begin(), list.end());
  });
  return lists;
}

std::vector<Ranked> similar_items(const Model& model, Row item, std::size_t k, Threads& threads) {
  if (k == 0) fail_config("k is 0; ask for at least 1 item");
  EVENKEEL_CHECK(item < model.items.rows());
  Ranker ranker;
  ranker.prepare({model.items, model.items, Score::kCosine}, threads);
  Csr itself;  // by row: only the one that is asked for holds anything
  itself.offsets.assign(model.items.rows() + 1, 0);
  std::fill(itself.offsets.begin() + item + 1, itself.offsets.end(), 1);
  itself.columns = {item};
  std::vector<Ranked> result;
  ranker.rank(std::span<const Row>(&item, 1), &itself, k, threads,
              [&](std::size_t, std::span<const Ranked> list, int) {
                result.assign(list.begin(), list.end());
              });
  return result;
}

std::vector<Ranked> popular_items(const Model& model, std::size_t k) {
  std::vector<Row> order(model.item_popularity.size());
  std::iota(order.begin(), order.end(), Row{0});
  const std::size_t count = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](Row a, Row b) {
                      const std::uint32_t left = model.item_popularity[a];
                      const std::uint32_t right = model.item_popularity[b];
                      return left != right ? left > right : a < b;
                    });
  std::vector<Ranked> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back({static_cast<float>(model.item_popularity[order[i]]), order[i]});
  }
  return result;
}

}  // namespace evenkeel
