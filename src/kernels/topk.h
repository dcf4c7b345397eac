// All-ranking top-k. In: item rows packed once into panels, a block of user rows, their masked
// items; out: each user's k best items, best first, equal scores in order of the item's number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/threads.h"
#include "base/types.h"

namespace evenkeel::kernels {

struct Ranked {
  float score = 0;
  Row item = 0;
  friend bool operator==(const Ranked&, const Ranked&) = default;
};

// Items transposed in groups of kWidth: [panel][dim][kWidth], the last panel filled with zeros.
class ItemPanels {
 public:
  static constexpr std::size_t kWidth = 32;  // two vectors of AVX-512, four of AVX2

  // Row i is multiplied by scale[i]; an empty scale stands for 1. Memory is kept between calls.
  void pack(const Matrix& items, std::span<const float> scale, Threads& threads);
  void pack_some(const ItemPanels& all, std::span<const Row> chosen);  // items of another's panels

  std::size_t items() const { return items_; }
  std::size_t dim() const { return dim_; }
  std::size_t count() const { return (items_ + kWidth - 1) / kWidth; }
  const float* panel(std::size_t p) const { return values_.data() + p * dim_ * kWidth; }

 private:
  std::size_t items_ = 0, dim_ = 0;
  AlignedArray<float> values_;
};

namespace topk {
struct Keeper {  // one user's list while it grows: a heap whose top is the worst kept entry
  std::span<const Row> masked;
  Ranked* heap = nullptr;
  std::uint32_t* count = nullptr;
  std::size_t k = 0;
  float* threshold = nullptr;  // scores at or below it cannot enter
};
}  // namespace topk

// One worker's memory, reused from block to block.
struct TopKScratch {
  AlignedArray<float> users;  // packed, kernel order
  std::vector<float> thresholds;
  std::vector<topk::Keeper> keepers;
};

struct RankBlock {
  const Matrix* vectors = nullptr;               // rows of the users
  std::span<const Row> rows;                     // which of them
  std::span<const float> scale;                  // by row of `vectors`; empty stands for 1
  std::span<const std::span<const Row>> masked;  // by position in `rows`, ascending; empty: none
  std::size_t k = 0;
  std::span<const float> added = {};  // to every score, by item; whole panels long; empty: nothing
};

// Position q's list is out[q * k ...] with counts[q] entries: min(k, items not masked). A score
// that is not a number or minus infinity is never listed. The result of a user depends on nothing
// but its row, its mask and the panels: neither on the block nor on its place in it.
void rank_block(const ItemPanels& panels, const RankBlock& block, TopKScratch& scratch,
                std::span<Ranked> out, std::span<std::uint32_t> counts);

}  // namespace evenkeel::kernels
