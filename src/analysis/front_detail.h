// What a popularity correction does, strength by strength. In: a model, its data and the axes of
// its front; out: quality by item group and exposure at every strength of the dial, and for some
// users the items from which a list of any strength can be made.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/exposure.h"
#include "analysis/front.h"

namespace evenkeel::analysis {

struct FrontStop {
  FrontPoint point;
  std::array<double, 3> logged_items{}, balanced_items{};  // Recall@20 of head, mid, tail items
  Exposure exposure;                                       // lists as for count_exposure
};

// Every item that is in a user's list at one of the strengths, with s(u, i) / T: the list of
// strength G is the k best by scores[n] - G log(p + 1).
struct ListPool {
  std::vector<Row> items;  // in the order in which they came up, from strength 0 on
  std::vector<double> scores;
};

struct FrontDetail {
  double temperature = 0, area = 0;
  std::size_t logged_users = 0, balanced_users = 0, list_users = 0;  // measured
  std::vector<FrontStop> stops;                                      // by ascending strength
  std::vector<ListPool> pools;                                       // by user asked for
};

// At the strengths of the dial, and the one that the model was stored with. Large data is measured
// on users evenly spread over the rows. `data` is in the model's rows.
FrontDetail trace_front_detail(const model::Model& model, const data::Dataset& data,
                               const FrontAxes& axes, std::span<const Row> pool_users,
                               Threads& threads);

// How many users one ranking of a front measures.
std::size_t front_users(std::size_t items);

}  // namespace evenkeel::analysis
