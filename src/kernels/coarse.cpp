// In: item panels; then vectors. Out: the same items in eight bits; then panels worth scoring.
//
// With u the vector, v an item, u' and v' what is left of them in fixed point,
//   |u.v - u'.v'| <= |u| |v - v'| + |u - u'| |v'|,
// so that a score is known to within one number for each panel. The k-th best of the lower bounds
// is a score that the list reaches; a panel whose upper bounds stay below it holds nothing.
#include "kernels/coarse.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/coarse.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/topk_heap.h"

#ifndef EVENKEEL_COARSE_ONCE
#define EVENKEEL_COARSE_ONCE

namespace evenkeel::kernels::coarse {

inline constexpr std::size_t kWidth = ItemPanels::kWidth;
// Of a score whose last step was one rounded sum: more than both kernels can be off by it.
inline constexpr float kRounding = 1.0F / (1 << 21);

struct Panel {
  const std::int8_t* values;
  const std::int32_t* words;
  std::size_t pairs;
  const float* steps;
  float step;          // of the vector
  const float* added;  // or null
  float slack;
  float limit;  // what a lower bound must pass to be of interest
  float* scores;
};

}  // namespace evenkeel::kernels::coarse
#endif  // EVENKEEL_COARSE_ONCE

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
bool rough_scores(const coarse::Panel& panel) {
  bool above = false;
  for (std::size_t c = 0; c < coarse::kWidth; ++c) {
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < panel.pairs; ++p) {
      std::int16_t halves[2];
      std::memcpy(halves, panel.words + p, sizeof(halves));
      const std::int8_t* values = panel.values + (p * coarse::kWidth + c) * 2;
      sum += halves[0] * values[0] + halves[1] * values[1];
    }
    float score = static_cast<float>(sum) * (panel.step * panel.steps[c]);
    if (panel.added != nullptr) score += panel.added[c];
    panel.scores[c] = score;
    above = above || score - (std::abs(score) * coarse::kRounding + panel.slack) > panel.limit;
  }
  return above;
}
#else
// Writes the rough scores of a panel; true where a lower bound passes the limit.
bool rough_scores(const coarse::Panel& panel) {
  const hn::CappedTag<float, coarse::kWidth / 2> d;
  const hn::RebindToSigned<decltype(d)> wide;
  const hn::Repartition<std::int16_t, decltype(wide)> half;
  const hn::Rebind<std::int8_t, decltype(half)> quarter;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kVectors = coarse::kWidth / kLanes;
  hn::VFromD<decltype(wide)> sums[kVectors], more[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = more[v] = hn::Zero(wide);
  const std::int8_t* HWY_RESTRICT values = panel.values;
  for (std::size_t p = 0; p < panel.pairs; ++p, values += 2 * coarse::kWidth) {
    const auto word = hn::BitCast(half, hn::Set(wide, panel.words[p]));
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto items = hn::PromoteTo(half, hn::Load(quarter, values + v * 2 * kLanes));
      sums[v] = hn::ReorderWidenMulAccumulate(wide, items, word, sums[v], more[v]);
    }
  }
  const auto step = hn::Set(d, panel.step), slack = hn::Set(d, panel.slack);
  const auto limit = hn::Set(d, panel.limit), rounding = hn::Set(d, coarse::kRounding);
  auto above = hn::Gt(hn::Zero(d), hn::Zero(d));
  for (std::size_t v = 0; v < kVectors; ++v) {
    const auto whole = hn::ConvertTo(d, hn::RearrangeToOddPlusEven(sums[v], more[v]));
    auto score = hn::Mul(whole, hn::Mul(step, hn::Load(d, panel.steps + v * kLanes)));
    if (panel.added != nullptr) score = hn::Add(score, hn::LoadU(d, panel.added + v * kLanes));
    hn::Store(score, d, panel.scores + v * kLanes);
    const auto off = hn::MulAdd(hn::Abs(score), rounding, slack);
    above = hn::Or(above, hn::Gt(hn::Sub(score, off), limit));
  }
  return !hn::AllFalse(d, above);
}
#endif

// Whether an upper bound reaches the limit.
bool reaches(const float* scores, float slack, float limit) {
  const hn::CappedTag<float, coarse::kWidth / 2> d;
  const auto rounding = hn::Set(d, coarse::kRounding), wide = hn::Set(d, slack);
  auto reached = hn::Gt(hn::Zero(d), hn::Zero(d));
  for (std::size_t c = 0; c < coarse::kWidth; c += hn::Lanes(d)) {
    const auto score = hn::Load(d, scores + c);
    const auto off = hn::MulAdd(hn::Abs(score), rounding, wide);
    reached = hn::Or(reached, hn::Ge(hn::Add(score, off), hn::Set(d, limit)));
  }
  return !hn::AllFalse(d, reached);
}

}  // namespace HWY_NAMESPACE
}  // namespace evenkeel::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
namespace {

HWY_EXPORT(rough_scores);
HWY_EXPORT(reaches);

constexpr float kMostItem = 127, kMostVector = 16383;
constexpr std::size_t kLongestRow = 8192;  // beyond, sums in 32 bits would leave little of a vector
constexpr double kRoundedUp = 1.001;       // of lengths that were summed in floats

struct Fixed {
  float step = 0;    // what 1 stands for
  float length = 0;  // of the vector
  float off = 0;     // length of what rounding took
  float left = 0;    // length of what it left
  bool finite = true;
};

// Rounds `count` numbers, `stride` apart, to whole multiples of a step, the largest of them `most`.
template <typename Put>
Fixed fix(const float* values, std::size_t count, std::size_t stride, float most, Put put) {
  Fixed fixed;
  float largest = 0;
  for (std::size_t p = 0; p < count; ++p) {
    const float value = values[p * stride];
    fixed.finite = fixed.finite && std::isfinite(value);
    largest = std::max(largest, std::abs(value));
  }
  fixed.step = largest / most;
  const float inverse = fixed.step > 0 ? 1 / fixed.step : 0;
  // Numbers so small that their step is none (or has no inverse) count as off by all they are.
  const bool tiny = !std::isfinite(inverse);
  double length = 0, off = 0, left = 0;
  for (std::size_t p = 0; p < count && fixed.finite; ++p) {
    const float value = values[p * stride];
    const float scaled = tiny ? 0 : std::clamp(value * inverse, -most, most);
    const int whole = static_cast<int>(scaled + (scaled < 0 ? -0.5F : 0.5F));
    put(p, whole);
    const double kept = whole * double{fixed.step};
    length += double{value} * double{value};
    off += (double{value} - kept) * (double{value} - kept);
    left += kept * kept;
  }
  fixed.length = static_cast<float>(std::sqrt(length) * kRoundedUp);
  fixed.off = static_cast<float>(std::sqrt(off) * kRoundedUp);
  fixed.left = static_cast<float>(std::sqrt(left) * kRoundedUp);
  fixed.finite = fixed.finite && std::isfinite(fixed.length) && std::isfinite(fixed.left);
  return fixed;
}

}  // namespace

CoarseItems::CoarseItems(const ItemPanels& panels, Threads& threads)
    : items_(panels.items()),
      dim_(panels.dim()),
      pairs_((panels.dim() + 1) / 2),
      count_(panels.count()),
      usable_(panels.dim() <= kLongestRow) {
  if (!usable_) return;
  values_ = AlignedArray<std::int8_t>(count_ * pairs_ * 2 * coarse::kWidth);
  steps_ = AlignedArray<float>(count_ * coarse::kWidth);
  longest_.resize(count_);
  furthest_.resize(count_);
  threads.for_chunks(count_, 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t panel = begin; panel < end; ++panel) pack(panels, panel);
  });
  for (const float length : longest_) longest_of_all_ = std::max(longest_of_all_, length);
  usable_ = std::isfinite(longest_of_all_);
}

void CoarseItems::pack(const ItemPanels& panels, std::size_t panel) {
  std::int8_t* out = values_.data() + panel * pairs_ * 2 * coarse::kWidth;
  for (std::size_t c = 0; c < coarse::kWidth; ++c) {
    const Fixed fixed =
        fix(panels.panel(panel) + c, dim_, coarse::kWidth, kMostItem, [&](std::size_t p, int x) {
          out[(p / 2 * coarse::kWidth + c) * 2 + p % 2] = static_cast<std::int8_t>(x);
        });
    steps_[panel * coarse::kWidth + c] = fixed.step;
    const float length = std::max(fixed.length, fixed.left);
    longest_[panel] =
        fixed.finite ? std::max(longest_[panel], length) : std::numeric_limits<float>::infinity();
    furthest_[panel] = std::max(furthest_[panel], fixed.off);
  }
}

bool CoarseItems::candidates(const Query& query, Scratch& scratch) const {
  const double room = 2147483647.0 / (double{kMostItem} * 2 * static_cast<double>(pairs_));
  scratch.words.assign(pairs_, 0);
  const Fixed vector =
      fix(query.vector, dim_, 1, std::min(kMostVector, static_cast<float>(std::floor(room))),
          [&](std::size_t p, int x) {
            const auto half = static_cast<std::int16_t>(x);
            std::memcpy(reinterpret_cast<char*>(&scratch.words[p / 2]) + p % 2 * sizeof(half),
                        &half, sizeof(half));
          });
  if (!vector.finite || !std::isfinite(4 * vector.length * longest_of_all_)) return false;
  if (scratch.scores.size() < count_ * coarse::kWidth) {
    scratch.scores = AlignedArray<float>(count_ * coarse::kWidth);
  }
  scratch.heap.resize(query.k);
  std::uint32_t kept = 0;
  float limit = -std::numeric_limits<float>::infinity();
  topk::Keeper keeper{query.masked, scratch.heap.data(), &kept, query.k, &limit};
  // Sums of `dim_` rounded products, as the exact kernel makes them.
  const float summing = static_cast<float>(dim_ + 8) * std::numeric_limits<float>::epsilon();
  const auto slack = [&](std::size_t panel) {
    const float whole = vector.length * longest_[panel];
    return 1.001F *
               (vector.length * furthest_[panel] + vector.off * longest_[panel] + summing * whole) +
           std::numeric_limits<float>::min();
  };
  const auto rough_scores = HWY_DYNAMIC_DISPATCH(rough_scores);
  for (std::size_t panel = 0; panel < count_; ++panel) {
    const std::size_t first = panel * coarse::kWidth;
    float* scores = scratch.scores.data() + first;
    const float off = slack(panel);
    if (!rough_scores({values_.data() + first * pairs_ * 2, scratch.words.data(), pairs_,
                       steps_.data() + first, vector.step,
                       query.added != nullptr ? query.added + first : nullptr, off, limit,
                       scores})) {
      continue;
    }
    const std::size_t last = std::min<std::size_t>(coarse::kWidth, items_ - first);
    for (std::size_t c = 0; c < last; ++c) {
      const float lower = scores[c] - (off + std::abs(scores[c]) * coarse::kRounding);
      if (lower > limit) topk::offer(keeper, lower, static_cast<Row>(first + c));
    }
  }
  scratch.panels.clear();
  const auto reaches = HWY_DYNAMIC_DISPATCH(reaches);
  for (std::size_t panel = 0; panel < count_; ++panel) {
    if (reaches(scratch.scores.data() + panel * coarse::kWidth, slack(panel), limit)) {
      scratch.panels.push_back(static_cast<std::uint32_t>(panel));
    }
  }
  return true;
}

}  // namespace evenkeel::kernels
#endif  // HWY_ONCE
