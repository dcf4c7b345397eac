// Items in eight bits. In: packed items and one vector; out: the few panels in which its k best
// items can be. Reading a quarter of the bytes is what makes one list fast: the exact scores of a
// catalogue are bound by memory. Nothing is lost: a panel is left out only where no score of it,
// with all that rounding may do, reaches the k-th best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "kernels/topk.h"

namespace evenkeel::kernels {

class CoarseItems {
 public:
  CoarseItems(const ItemPanels& panels, Threads& threads);

  // False: some value is not finite, or the rows are too long; score every panel.
  bool usable() const { return usable_; }

  struct Query {
    const float* vector = nullptr;     // `dim` numbers, as the panels are compared with
    std::span<const Row> masked = {};  // ascending
    std::size_t k = 0;
    const float* added = nullptr;  // to every score, by item; whole panels long; null: nothing
  };
  struct Scratch {
    std::vector<std::int32_t> words;  // the vector in fixed point, two numbers in each
    AlignedArray<float> scores;
    std::vector<Ranked> heap;
    std::vector<std::uint32_t> panels;
    AlignedArray<float> user;  // packed, as the exact kernel reads it
  };
  // Ascending, into scratch.panels. False: the vector is not finite; score every panel.
  bool candidates(const Query& query, Scratch& scratch) const;

 private:
  void pack(const ItemPanels& panels, std::size_t panel);

  std::size_t items_ = 0, dim_ = 0, pairs_ = 0, count_ = 0;
  bool usable_ = true;
  AlignedArray<std::int8_t> values_;  // [panel][dim / 2][kWidth][2]
  AlignedArray<float> steps_;         // by item: what 1 stands for
  // By panel, the largest of its items: their lengths, and how far the rounded ones are off.
  std::vector<float> longest_, furthest_;
  float longest_of_all_ = 0;
};

// The list that rank_block makes of the vector, to the bit; at least k places in `out`. Gives its
// length.
std::uint32_t rank_one(const ItemPanels& panels, const CoarseItems& coarse,
                       const CoarseItems::Query& query, CoarseItems::Scratch& scratch,
                       std::span<Ranked> out);

}  // namespace evenkeel::kernels
