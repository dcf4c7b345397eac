// In: a model and who or what to look for. Out: ranked items; the model is not changed.
#include "eval/recommend.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "eval/ranker.h"

namespace evenkeel {

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
