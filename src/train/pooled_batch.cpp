// In: positives and pools. Out: loss and updates.
#include "train/pooled_batch.h"

#include <algorithm>
#include <numeric>

#include "kernels/rows.h"

namespace evenkeel {

PooledBatch::PooledBatch(const StepParts& parts, const Loss& loss, const Csr& items_of,
                         std::size_t batch, std::size_t most_pool_rows, double l2)
    : loss_(loss),
      items_of_(items_of),
      batch_(batch),
      rows_(parts, loss.similarity(), batch, batch + most_pool_rows, l2),
      users_(batch),
      item_entries_(batch + most_pool_rows),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      positive_(batch),
      d_positive_(batch),
      losses_(batch),
      capped_(batch),
      ids_(static_cast<std::size_t>(parts.threads.count())),
      weights_(static_cast<std::size_t>(parts.threads.count())) {
  for (auto& ids : ids_) ids.resize(batch + most_pool_rows);
  for (auto& weights : weights_) weights.resize(batch);
}

void PooledBatch::begin(std::span<const Pair> positives, std::size_t pool_rows) {
  positives_ = positives;
  for (std::size_t b = 0; b < positives.size(); ++b) {
    users_[b] = positives[b].user;
    // Entries of a short last batch stand right before the pool's, so that there is no gap.
    item_entries_[batch_ - positives.size() + b] = positives[b].item;
  }
  rows_.gather(std::span<const Row>(users_).first(positives.size()),
               std::span<const Row>(item_entries_)
                   .subspan(batch_ - positives.size(), positives.size() + pool_rows));
}

void PooledBatch::prepare(std::size_t begin, std::size_t end) {
  const Matrix& items = rows_.vectors(Side::kItem);
  rows_.compared(Side::kUser, std::span<const Row>(users_).subspan(begin, end - begin),
                 compared_users_.row(begin));
  for (std::size_t b = begin; b < end; ++b) {
    kernels::gather_dots(compared_users_.row(b), items.data(), items.stride(), &positives_[b].item,
                         1, rows_.scale(Side::kItem), &positive_[b]);
  }
}

void PooledBatch::compute(std::size_t b, Tile& tile, std::size_t r, const Pool& pool) {
  Sample sample{.user = positives_[b].user, .item = positives_[b].item, .positive = positive_[b]};
  losses_[b] = tile.compute(r, loss_, pool, items_of_.row(sample.user), sample);
  d_positive_[b] = sample.d_positive;
  capped_[b] = sample.capped ? 1 : 0;
}

void PooledBatch::add_positive(std::size_t b) {
  const Row item = positives_[b].item;
  const float* scale = rows_.scale(Side::kItem);
  kernels::add_scaled(rows_.vectors(Side::kItem).row(item), rows_.stride(),
                      d_positive_[b] * (scale != nullptr ? scale[item] : 1.0F),
                      user_gradients_.row(b));
}

StepResult PooledBatch::finish(const Matrix& pool_gradients, bool counts_pool) {
  const std::size_t samples = positives_.size(), stride = rows_.stride();
  rows_.update(Side::kItem, samples, [&](const Grouping::Group& group, int worker, float* out) {
    const auto entries = group.samples;
    auto& ids = ids_[static_cast<std::size_t>(worker)];
    auto& weights = weights_[static_cast<std::size_t>(worker)];
    std::size_t own = 0;  // entries ascend: the positives come first
    for (; own < entries.size() && entries[own] < samples; ++own) {
      ids[own] = entries[own];
      weights[own] = d_positive_[entries[own]];
    }
    kernels::gather_sum(compared_users_.data(), stride, ids.data(), weights.data(), own, nullptr,
                        out);
    for (std::size_t k = own; k < entries.size(); ++k) {
      kernels::add_scaled(pool_gradients.row(entries[k] - samples), stride, 1.0F, out);
    }
    return counts_pool ? entries.size() : own;
  });
  rows_.update(Side::kUser, samples, [&](const Grouping::Group& group, int, float* out) {
    kernels::gather_sum(user_gradients_.data(), stride, group.samples.data(), nullptr,
                        group.samples.size(), nullptr, out);
    return group.samples.size();
  });
  rows_.finish();
  const auto end = static_cast<std::ptrdiff_t>(samples);
  return {std::accumulate(losses_.begin(), losses_.begin() + end, 0.0), samples,
          std::accumulate(capped_.begin(), capped_.begin() + end, std::size_t{0})};
}

}  // namespace evenkeel
