// In: vectors. Out: each user's K-th score, the same at any thread count.
#include "train/thresholds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/rng.h"
#include "kernels/rows.h"

namespace evenkeel::train {
namespace {

constexpr std::size_t kUserGrain = 16;

// Draws of its own, apart from those of the samples: another seed made from the run's.
std::uint64_t own_seed(const Settings& settings) {
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  return Random(seed, Purpose::kThresholds).word64(0, 0);
}

// Every item that is not in the ascending list `owned`.
std::size_t list_unowned(std::span<const Row> owned, std::size_t items, Row* out) {
  std::size_t count = 0, next = 0;
  for (Row item = 0; item < items; ++item) {
    const bool has = next < owned.size() && owned[next] == item;
    has ? ++next : (out[count++] = item, 0U);
  }
  return count;
}

}  // namespace

Thresholds::Thresholds(const data::Dataset& data, const Settings& settings, const Threads& threads)
    : data_(data),
      every_(static_cast<int>(settings.integer("threshold-epochs"))),
      k_(static_cast<std::size_t>(settings.integer("top-k"))),
      sample_(static_cast<std::size_t>(settings.integer("threshold-negatives"))),
      negatives_(data.items_of, data.item_count(), own_seed(settings)),
      ids_(data.item_count()),
      inverse_(data.item_count()) {
  std::iota(ids_.begin(), ids_.end(), Row{0});
  std::size_t most_owned = 0;
  for (std::size_t u = 0; u < data.user_count(); ++u) {
    most_owned = std::max(most_owned, data.items_of.count(u));
  }
  const std::size_t room = most_owned + std::min(sample_, data.item_count());
  const Scratch scratch{std::vector<Row>(room), std::vector<float>(room),
                        negatives_.scratch(sample_)};
  scratch_.assign(static_cast<std::size_t>(threads.count()), scratch);
}

void Thresholds::estimate(int epoch, const Matrix& users, const Matrix& items, Threads& threads,
                          std::span<float> thresholds) {
  negatives_.begin_epoch(static_cast<std::uint32_t>(epoch));
  kernels::inverse_norms(items.data(), items.stride(), ids_.data(), ids_.size(), inverse_.data());
  const std::size_t first = users.held().begin;
  const std::size_t last = std::min(users.held().end, thresholds.size());  // extra rows have none
  threads.for_chunks(last - first, kUserGrain, [&](std::size_t begin, std::size_t end, int worker) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    for (std::size_t u = first + begin; u < first + end; ++u) {
      if (data_.items_of.count(u) == 0) continue;  // no sample of theirs ever comes
      thresholds[u] = kth_score(static_cast<Row>(u), users.row(u), items, scratch);
    }
  });
}

float Thresholds::kth_score(Row user, const float* vector, const Matrix& items,
                            Scratch& scratch) const {
  const auto owned = data_.items_of.row(user);
  std::copy(owned.begin(), owned.end(), scratch.items.begin());
  std::size_t count = data_.item_count() - owned.size();
  if (count <= sample_) {  // all of them: exact
    list_unowned(owned, data_.item_count(), scratch.items.data() + owned.size());
  } else {
    count = sample_;
    negatives_.draw(user, user, std::span(scratch.items).subspan(owned.size(), count),
                    scratch.draws);
  }
  count += owned.size();
  kernels::gather_dots(vector, items.data(), items.stride(), scratch.items.data(), count,
                       inverse_.data(), scratch.scores.data());
  const std::span<float> scores(scratch.scores.data(), count);
  const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(std::min(k_, count) - 1);
  std::nth_element(scores.begin(), kth, scores.end(), std::greater<>());
  const float norm = std::sqrt(kernels::dot(vector, vector, items.stride()));
  return norm > 0 ? *kth / norm : 0.0F;
}

}  // namespace evenkeel::train
