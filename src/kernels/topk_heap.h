// A list while it grows. In: scores and items in ascending order of the item; out: the k best.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/topk.h"

namespace evenkeel::kernels::topk {

// Best first, equal scores by item number.
inline bool better(const Ranked& a, const Ranked& b) {
  return a.score > b.score || (a.score == b.score && a.item < b.item);
}

// Items come in ascending order, so a score equal to the k-th always loses the tie.
inline void offer(Keeper& keeper, float score, Row item) {
  if (std::binary_search(keeper.masked.begin(), keeper.masked.end(), item)) return;
  Ranked* heap = keeper.heap;
  std::uint32_t& count = *keeper.count;
  if (count == keeper.k) std::pop_heap(heap, heap + count--, better);
  heap[count++] = {score, item};
  std::push_heap(heap, heap + count, better);
  if (count == keeper.k) *keeper.threshold = heap[0].score;
}

}  // namespace evenkeel::kernels::topk
