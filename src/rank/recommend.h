// Uses a model. In: users or an item; out: the best items with their scores (cosine or dot; with a
// popularity correction, the corrected score).
#pragma once

#include <span>
#include <vector>

#include "base/threads.h"
#include "eval/ranker.h"
#include "model/model.h"

namespace evenkeel::rank {

// One list per user, best first, at the model's strength of correction; `filter_seen` leaves out
// what the log holds of the user, trained or held out.
std::vector<std::vector<kernels::Ranked>> recommend(const model::Model& model,
                                                    std::span<const Row> users, std::size_t k,
                                                    bool filter_seen, Threads& threads);

// The same for any vectors, as flat arrays: position q's list is items[q * k ...], best first;
// places that no item is left for hold kNoItem and minus infinity.
inline constexpr std::int64_t kNoItem = -1;
struct ListRequest {
  eval::VectorView vectors;           // every row of `users` asks
  const data::Csr* masked = nullptr;  // by row of `users`; null: nothing is left out
  std::span<const Row> only = {};     // rank these alone, ascending; empty: all items
  std::size_t k = 10;
};
void rank_lists(const ListRequest& request, Threads& threads, std::span<std::int64_t> items,
                std::span<float> scores);

// By the cosine of the item vectors, whatever the model's score, with popularity taken out of it at
// the strength `debias` (0: none); the item itself is left out.
std::vector<kernels::Ranked> similar_items(const model::Model& model, Row item, std::size_t k,
                                           double debias, Threads& threads);

// The same for users, by the cosine of their vectors.
std::vector<kernels::Ranked> similar_users(const model::Model& model, Row user, std::size_t k,
                                           Threads& threads);

// Refuses to take popularity out of the likeness of items where the model compares by dot product.
void check_likeness_debias(const model::Model& model);

// For a user nobody knows: items by training count, which is the score. The model must outlive it.
class PopularItems {
 public:
  explicit PopularItems(const model::Model& model);
  std::vector<kernels::Ranked> list(std::size_t k,
                                    std::span<const Row> seen = {}) const;  // `seen` ascends

 private:
  const std::vector<std::uint32_t>& popularity_;
  std::vector<Row> order_;
};

}  // namespace evenkeel::rank
