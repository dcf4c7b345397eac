// In: item panels and a block of users. Out: the k best items of each user. Six users by two
// vectors of items stay in registers while the dimension runs; only scores above a user's k-th
// leave them.
#include "kernels/topk.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/topk.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/coarse.h"
#include "kernels/topk_heap.h"

#ifndef EVENKEEL_TOPK_ONCE
#define EVENKEEL_TOPK_ONCE

namespace evenkeel::kernels {
namespace topk {

// 6 x 2 accumulators: enough to hide the latency of two FMA units (4 cycles x 2 = 8), and with two
// item vectors and one broadcast still inside the 16 registers of AVX2.
inline constexpr std::size_t kUsers = 6;

struct Tile {
  const float* users;  // [dim][kUsers]
  const float* items;  // one panel
  std::size_t dim;
  const float* added;       // one number per item of the panel, or null
  const float* thresholds;  // kUsers
  float* scores;            // [kUsers][kWidth], written for users with a survivor
};

}  // namespace topk
}  // namespace evenkeel::kernels
#endif  // EVENKEEL_TOPK_ONCE

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Scores of 6 users x 2 vectors of items from column `first` of the panel; a bit is set for each
// user with a score above its threshold. The sum over the dimension runs in order, one FMA per
// step: the result does not depend on the vector width.
template <class D>
HWY_INLINE unsigned score_columns(D d, const topk::Tile& tile, std::size_t first) {
  const std::size_t lanes = hn::Lanes(d);
  auto a0 = hn::Zero(d), b0 = a0, a1 = a0, b1 = a0, a2 = a0, b2 = a0;
  auto a3 = a0, b3 = a0, a4 = a0, b4 = a0, a5 = a0, b5 = a0;
  const float* HWY_RESTRICT users = tile.users;
  const float* HWY_RESTRICT items = tile.items + first;
  for (std::size_t p = 0; p < tile.dim; ++p) {
    const auto left = hn::Load(d, items);
    const auto right = hn::Load(d, items + lanes);
    const auto u0 = hn::Set(d, users[0]);
    a0 = hn::MulAdd(u0, left, a0);
    b0 = hn::MulAdd(u0, right, b0);
    const auto u1 = hn::Set(d, users[1]);
    a1 = hn::MulAdd(u1, left, a1);
    b1 = hn::MulAdd(u1, right, b1);
    const auto u2 = hn::Set(d, users[2]);
    a2 = hn::MulAdd(u2, left, a2);
    b2 = hn::MulAdd(u2, right, b2);
    const auto u3 = hn::Set(d, users[3]);
    a3 = hn::MulAdd(u3, left, a3);
    b3 = hn::MulAdd(u3, right, b3);
    const auto u4 = hn::Set(d, users[4]);
    a4 = hn::MulAdd(u4, left, a4);
    b4 = hn::MulAdd(u4, right, b4);
    const auto u5 = hn::Set(d, users[5]);
    a5 = hn::MulAdd(u5, left, a5);
    b5 = hn::MulAdd(u5, right, b5);
    users += topk::kUsers;
    items += ItemPanels::kWidth;
  }
  if (tile.added != nullptr) {  // as if it were one more dimension, with a 1 in the user's row
    const auto left = hn::LoadU(d, tile.added + first);
    const auto right = hn::LoadU(d, tile.added + first + lanes);
    a0 = hn::Add(a0, left), b0 = hn::Add(b0, right);
    a1 = hn::Add(a1, left), b1 = hn::Add(b1, right);
    a2 = hn::Add(a2, left), b2 = hn::Add(b2, right);
    a3 = hn::Add(a3, left), b3 = hn::Add(b3, right);
    a4 = hn::Add(a4, left), b4 = hn::Add(b4, right);
    a5 = hn::Add(a5, left), b5 = hn::Add(b5, right);
  }
  const float* t = tile.thresholds;
  const auto above = [&](auto a, auto b, float threshold) HWY_ATTR {
    const auto limit = hn::Set(d, threshold);
    return hn::Or(hn::Gt(a, limit), hn::Gt(b, limit));
  };
  const auto h0 = above(a0, b0, t[0]), h1 = above(a1, b1, t[1]), h2 = above(a2, b2, t[2]);
  const auto h3 = above(a3, b3, t[3]), h4 = above(a4, b4, t[4]), h5 = above(a5, b5, t[5]);
  const auto any = hn::Or(hn::Or(hn::Or(h0, h1), hn::Or(h2, h3)), hn::Or(h4, h5));
  if (HWY_LIKELY(hn::AllFalse(d, any))) return 0;
  float* HWY_RESTRICT out = tile.scores + first;
  unsigned hit = 0;
  const auto store = [&](auto mask, auto a, auto b, unsigned user) HWY_ATTR {
    if (hn::AllFalse(d, mask)) return;
    hit |= 1U << user;
    hn::Store(a, d, out + user * ItemPanels::kWidth);
    hn::Store(b, d, out + user * ItemPanels::kWidth + lanes);
  };
  store(h0, a0, b0, 0);
  store(h1, a1, b1, 1);
  store(h2, a2, b2, 2);
  store(h3, a3, b3, 3);
  store(h4, a4, b4, 4);
  store(h5, a5, b5, 5);
  return hit;
}

// The same sums, in the same order, for a user alone: five empty places would cost five times its
// work. A whole panel stays in registers.
template <class D>
HWY_INLINE bool score_panel(D d, const topk::Tile& tile) {
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kVectors = ItemPanels::kWidth / kLanes;
  hn::VFromD<D> sums[kVectors];
  for (auto& sum : sums) sum = hn::Zero(d);
  const float* HWY_RESTRICT items = tile.items;
  for (std::size_t p = 0; p < tile.dim; ++p) {
    const auto user = hn::Set(d, tile.users[p * topk::kUsers]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::MulAdd(user, hn::Load(d, items + v * kLanes), sums[v]);
    }
    items += ItemPanels::kWidth;
  }
  for (std::size_t v = 0; tile.added != nullptr && v < kVectors; ++v) {
    sums[v] = hn::Add(sums[v], hn::LoadU(d, tile.added + v * kLanes));
  }
  const auto limit = hn::Set(d, tile.thresholds[0]);
  auto any = hn::Gt(sums[0], limit);
  for (std::size_t v = 1; v < kVectors; ++v) any = hn::Or(any, hn::Gt(sums[v], limit));
  if (HWY_LIKELY(hn::AllFalse(d, any))) return false;
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sums[v], d, tile.scores + v * kLanes);
  return true;
}

void score_one(const topk::Tile& tile, topk::Keeper* keeper, Row first_item, Row items) {
  const hn::CappedTag<float, ItemPanels::kWidth / 2> d;
  if (!score_panel(d, tile)) return;
  const std::size_t last = std::min<std::size_t>(ItemPanels::kWidth, items - first_item);
  for (std::size_t c = 0; c < last; ++c) {
    if (tile.scores[c] > *keeper->threshold) {
      topk::offer(*keeper, tile.scores[c], first_item + static_cast<Row>(c));
    }
  }
}

// One panel against one group of six users. Survivors are offered in ascending item order.
void score_tile(const topk::Tile& tile, topk::Keeper* keepers, Row first_item, Row items) {
  const hn::CappedTag<float, ItemPanels::kWidth / 2> d;
  const std::size_t step = 2 * hn::Lanes(d);
  for (std::size_t first = 0; first < ItemPanels::kWidth; first += step) {
    const unsigned hit = score_columns(d, tile, first);
    if (hit == 0) continue;
    const std::size_t last = std::min<std::size_t>(first + step, items - first_item);
    for (std::size_t user = 0; user < topk::kUsers; ++user) {
      if ((hit >> user & 1U) == 0) continue;
      const float* scores = tile.scores + user * ItemPanels::kWidth;
      topk::Keeper& keeper = keepers[user];
      for (std::size_t c = first; c < last; ++c) {
        if (scores[c] > *keeper.threshold) {
          topk::offer(keeper, scores[c], first_item + static_cast<Row>(c));
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evenkeel::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
namespace {

HWY_EXPORT(score_tile);
HWY_EXPORT(score_one);

// Rows of one group of six as [dim][6]; places past the last user stay zero.
void pack_group(const RankBlock& block, std::size_t first, std::size_t dim, float* out) {
  for (std::size_t u = 0; u < topk::kUsers; ++u) {
    if (first + u >= block.rows.size()) {
      for (std::size_t p = 0; p < dim; ++p) out[p * topk::kUsers + u] = 0;
      continue;
    }
    const Row row = block.rows[first + u];
    const float* values = block.vectors->row(row);
    const float scale = block.scale.empty() ? 1.0F : block.scale[row];
    for (std::size_t p = 0; p < dim; ++p) out[p * topk::kUsers + u] = values[p] * scale;
  }
}

}  // namespace

void ItemPanels::pack(const Matrix& items, std::span<const float> scale, Threads& threads) {
  items_ = items.rows();
  dim_ = items.dim();
  const std::size_t needed = count() * dim_ * kWidth;
  if (values_.size() < needed) values_ = AlignedArray<float>(needed);
  threads.for_chunks(count(), 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t panel = begin; panel < end; ++panel) {
      float* out = values_.data() + panel * dim_ * kWidth;
      for (std::size_t c = 0; c < kWidth; ++c) {
        const std::size_t item = panel * kWidth + c;
        const bool real = item < items_;
        const float factor = !real ? 0.0F : scale.empty() ? 1.0F : scale[item];
        const float* row = items.row(real ? item : 0);
        for (std::size_t p = 0; p < dim_; ++p) out[p * kWidth + c] = real ? row[p] * factor : 0.0F;
      }
    }
  });
}

void ItemPanels::pack_some(const ItemPanels& all, std::span<const Row> chosen) {
  items_ = chosen.size();
  dim_ = all.dim();
  const std::size_t needed = count() * dim_ * kWidth;
  if (values_.size() < needed) values_ = AlignedArray<float>(needed);
  for (std::size_t place = 0; place < count() * kWidth; ++place) {
    float* out = values_.data() + place / kWidth * dim_ * kWidth + place % kWidth;
    const bool real = place < items_;
    const Row item = real ? chosen[place] : 0;
    const float* in = all.panel(item / kWidth) + item % kWidth;
    for (std::size_t p = 0; p < dim_; ++p) out[p * kWidth] = real ? in[p * kWidth] : 0.0F;
  }
}

void rank_block(const ItemPanels& panels, const RankBlock& block, TopKScratch& scratch,
                std::span<Ranked> out, std::span<std::uint32_t> counts) {
  const std::size_t users = block.rows.size();
  const std::size_t groups = (users + topk::kUsers - 1) / topk::kUsers;
  const std::size_t dim = panels.dim();
  EVENKEEL_CHECK(block.vectors->dim() == dim && block.k > 0);
  EVENKEEL_CHECK(out.size() >= users * block.k && counts.size() >= users);
  EVENKEEL_CHECK(block.masked.empty() || block.masked.size() >= users);
  EVENKEEL_CHECK(block.added.empty() || block.added.size() >= panels.count() * ItemPanels::kWidth);
  const float* added = block.added.empty() ? nullptr : block.added.data();

  const std::size_t group_floats = dim * topk::kUsers;
  if (scratch.users.size() < groups * group_floats) {
    scratch.users = AlignedArray<float>(groups * group_floats);
  }
  // A place without a user never lets anything through.
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  scratch.thresholds.assign(groups * topk::kUsers, kInfinity);
  std::vector<topk::Keeper>& keepers = scratch.keepers;
  keepers.resize(groups * topk::kUsers);
  for (std::size_t u = 0; u < groups * topk::kUsers; ++u) {
    keepers[u] = {{}, nullptr, nullptr, block.k, &scratch.thresholds[u]};
    if (u >= users) continue;
    counts[u] = 0;
    scratch.thresholds[u] = -kInfinity;
    keepers[u].heap = &out[u * block.k];
    keepers[u].count = &counts[u];
    if (!block.masked.empty()) keepers[u].masked = block.masked[u];
  }
  for (std::size_t g = 0; g < groups; ++g) {
    pack_group(block, g * topk::kUsers, dim, scratch.users.data() + g * group_floats);
  }

  // A panel (8 KB at d = 64) stays in L1 while all users of the block pass by; the users (48 KB for
  // 192) stay in L2. The panels stream once a block.
  alignas(kAlignment) float scores[topk::kUsers * ItemPanels::kWidth];
  const auto score_tile = HWY_DYNAMIC_DISPATCH(score_tile);
  const auto score_one = HWY_DYNAMIC_DISPATCH(score_one);
  for (std::size_t panel = 0; panel < panels.count(); ++panel) {
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t first = g * topk::kUsers;
      const topk::Tile tile{scratch.users.data() + g * group_floats,
                            panels.panel(panel),
                            dim,
                            added != nullptr ? added + panel * ItemPanels::kWidth : nullptr,
                            &scratch.thresholds[first],
                            scores};
      (users - first == 1 ? score_one : score_tile)(tile, &keepers[first],
                                                    static_cast<Row>(panel * ItemPanels::kWidth),
                                                    static_cast<Row>(panels.items()));
    }
  }
  for (std::size_t u = 0; u < users; ++u) {
    std::sort_heap(&out[u * block.k], &out[u * block.k] + counts[u], topk::better);
  }
}

std::uint32_t rank_one(const ItemPanels& panels, const CoarseItems& coarse,
                       const CoarseItems::Query& query, CoarseItems::Scratch& scratch,
                       std::span<Ranked> out) {
  EVENKEEL_CHECK(query.k > 0 && out.size() >= query.k);
  const std::size_t dim = panels.dim();
  if (scratch.user.size() < dim * topk::kUsers) {
    scratch.user = AlignedArray<float>(dim * topk::kUsers);
  }
  for (std::size_t p = 0; p < dim; ++p) scratch.user[p * topk::kUsers] = query.vector[p];
  std::uint32_t count = 0;
  float threshold = -std::numeric_limits<float>::infinity();
  topk::Keeper keeper{query.masked, out.data(), &count, query.k, &threshold};
  alignas(kAlignment) float scores[ItemPanels::kWidth];
  const auto score_one = HWY_DYNAMIC_DISPATCH(score_one);
  const auto score = [&](std::size_t panel) {
    const std::size_t first = panel * ItemPanels::kWidth;
    const float* added = query.added != nullptr ? query.added + first : nullptr;
    score_one({scratch.user.data(), panels.panel(panel), dim, added, &threshold, scores}, &keeper,
              static_cast<Row>(first), static_cast<Row>(panels.items()));
  };
  if (coarse.usable() && coarse.candidates(query, scratch)) {
    for (const std::uint32_t panel : scratch.panels) score(panel);
  } else {
    for (std::size_t panel = 0; panel < panels.count(); ++panel) score(panel);
  }
  std::sort_heap(out.data(), out.data() + count, topk::better);
  return count;
}

}  // namespace evenkeel::kernels
#endif  // HWY_ONCE
