// In: positives and pools. Out: loss and updates.
#include "step/pool_samples.h"

#include <algorithm>
#include <numeric>

#include "kernels/rows.h"
#include "kernels/softmax.h"

namespace evenkeel::step {

PoolSamples::PoolSamples(const rows::StepParts& parts, const loss::Loss& loss,
                         const data::Csr& items_of, std::size_t batch, std::size_t most_pool_rows,
                         double l2, Separate separate)
    : loss_(loss),
      partition_loss_(loss.partition_loss()),
      items_of_(items_of),
      batch_(batch),
      rows_(parts, loss.similarity(), batch, batch + most_pool_rows, l2,
            {.separate_singletons = separate.users}, {.separate_singletons = separate.items}),
      users_(batch),
      item_entries_(batch + most_pool_rows),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      item_gradients_(batch + most_pool_rows, parts.encoder.table(Side::kItem).dim()),
      positive_(batch),
      d_positive_(batch),
      factors_(batch),
      rests_(batch),
      losses_(batch),
      capped_(batch) {}

void PoolSamples::begin(std::span<const Pair> positives, std::size_t pool_rows) {
  positives_ = positives;
  pool_size_ = pool_rows;
  for (std::size_t b = 0; b < positives.size(); ++b) {
    users_[b] = positives[b].user;
    // Entries of a short last batch stand right before the pool's, so that there is no gap.
    item_entries_[batch_ - positives.size() + b] = positives[b].item;
  }
  rows_.gather(std::span<const Row>(users_).first(positives.size()),
               item_rows(0, positives.size() + pool_rows));
}

void PoolSamples::fetch(std::span<const std::size_t> cuts, std::span<const std::size_t> pool_cuts) {
  rows_.fetch({{rows::Worked{0, cuts}}}, {{rows::Worked{0, cuts}, {samples(), pool_cuts}}},
              compared_users_);
}

void PoolSamples::fetch_everything(bool all_items) {
  const rows::Worked all;
  rows_.fetch({&all, 1}, {&all, all_items ? 0U : 1U}, compared_users_);
  if (all_items) rows_.fetch_all_items();
}

void PoolSamples::return_results(std::span<const std::size_t> cuts,
                                 std::span<const std::size_t> pool_cuts) {
  const std::array shares{cluster::share_of(std::span(losses_), cuts),
                          cluster::share_of(std::span(capped_), cuts)};
  rows_.return_gradients(user_gradients_.data(), {{rows::Worked{0, cuts}}},
                         item_gradients_.row(batch_ - samples()),
                         {{rows::Worked{0, cuts}, {samples(), pool_cuts}}}, shares);
}

std::array<cluster::Share, 4> PoolSamples::results(std::size_t begin,
                                                   std::span<const std::size_t> cuts) {
  const std::size_t row = rows_.stride() * sizeof(float);
  return {{{user_gradients_.row(begin), row, cuts},
           {item_gradients_.row(batch_ - samples() + begin), row, cuts},
           {losses_.data() + begin, sizeof(float), cuts},
           {capped_.data() + begin, sizeof(std::uint8_t), cuts}}};
}

void PoolSamples::begin_singletons(std::size_t begin, std::size_t end, int worker) {
  rows_.begin_singletons(Side::kUser, begin,
                         std::span<const Row>(users_).subspan(begin, end - begin), worker);
  rows_.begin_singletons(Side::kItem, begin, item_rows(begin, end), worker);
}

void PoolSamples::update_singletons(std::size_t begin, std::size_t end, int worker) {
  const std::size_t next = std::min(samples(), 2 * end - begin);
  const std::span<const Row> users(users_);
  rows_.update_singletons(Side::kUser, begin, users.subspan(begin, end - begin),
                          users.subspan(end, next - end), samples(), user_sums(), worker);
  rows_.update_singletons(Side::kItem, begin, item_rows(begin, end), item_rows(end, next),
                          samples(), item_sums(), worker);
}

void PoolSamples::begin_singleton_pool(std::size_t begin, std::size_t end, int worker) {
  const std::size_t first = samples() + begin;
  rows_.begin_singletons(Side::kItem, first, item_rows(first, samples() + end), worker);
}

void PoolSamples::update_singleton_pool(std::size_t begin, std::size_t end, int worker) {
  const std::size_t first = samples() + begin, last = samples() + end;
  const std::size_t next = std::min(samples() + pool_size_, last + end - begin);
  rows_.update_singletons(Side::kItem, first, item_rows(first, last), item_rows(last, next),
                          samples(), item_sums(), worker);
}

void PoolSamples::prepare(std::size_t begin, std::size_t end) {
  const Matrix& items = rows_.vectors(Side::kItem);
  // What compute() reads at random is on its way while products are formed.
  for (std::size_t b = begin; b < end; ++b) {
    items_of_.prefetch_place(users_[b]);
    prefetch_row<2>(items.row(positives_[b].item), items.stride());
    loss_.prefetch(positives_[b].user, positives_[b].item);
  }
  rows_.compare_users(begin, end, compared_users_);
  for (std::size_t b = begin; b < end; ++b) {
    kernels::gather_dots(compared_users_.row(b), items.data(), items.stride(), &positives_[b].item,
                         1, rows_.scale(Side::kItem), &positive_[b]);
    items_of_.prefetch_columns(users_[b]);
  }
}

void PoolSamples::compute(std::size_t begin, std::size_t end, Tile& tile, std::size_t r,
                          const Pool& pool) {
  for (std::size_t b = begin; b < end; ++b, ++r) {
    const std::size_t unmasked = tile.mask(r, pool, items_of_.row(users_[b]));
    if (partition_loss_ != nullptr) {
      rests_[b] = kernels::exponentials(tile.row(r), pool.size(), partition_loss_->tau());
      continue;
    }
    loss::Sample sample = sample_of(b);
    sample.negatives = sample.d_negatives = tile.row(r);
    sample.count = pool.size();
    sample.unmasked = unmasked;
    losses_[b] = loss_.compute(sample);
    keep(b, sample);
  }
  if (partition_loss_ == nullptr) return;
  // By themselves: each waits for a division, an exponential and a logarithm, and only its like can
  // fill that time.
  for (std::size_t b = begin; b < end; ++b) {
    loss::Sample sample = sample_of(b);
    losses_[b] = partition_loss_->compute_from_sum(sample, rests_[b]);
    keep(b, sample);
  }
}

loss::Sample PoolSamples::sample_of(std::size_t b) const {
  return {.user = positives_[b].user, .item = positives_[b].item, .positive = positive_[b]};
}

void PoolSamples::keep(std::size_t b, const loss::Sample& sample) {
  d_positive_[b] = sample.d_positive;
  factors_[b] = sample.factor;
  capped_[b] = sample.capped ? 1 : 0;
}

void PoolSamples::add_positive(std::size_t b) {
  const Row item = positives_[b].item;
  const std::size_t stride = rows_.stride();
  const float* scale = rows_.scale(Side::kItem);
  float *user = compared_users_.row(b), *gradient = user_gradients_.row(b);
  kernels::scale_row(user, stride, d_positive_[b],
                     item_gradients_.row(batch_ - positives_.size() + b));
  if (partition_loss_ != nullptr) {
    kernels::scale_row(gradient, stride, factors_[b], gradient);
    kernels::scale_row(user, stride, factors_[b], user);
  }
  kernels::add_scaled(rows_.vectors(Side::kItem).row(item), stride,
                      d_positive_[b] * (scale != nullptr ? scale[item] : 1.0F), gradient);
}

StepResult PoolSamples::finish(bool counts_pool) {
  const std::size_t samples = positives_.size();
  const auto own = static_cast<std::uint32_t>(samples);
  rows::RowUpdate::Sums items = item_sums();
  items.counted = counts_pool ? kAllEntries : own;
  rows_.update(samples, user_sums(), items);
  const auto end = static_cast<std::ptrdiff_t>(samples);
  return {std::accumulate(losses_.begin(), losses_.begin() + end, 0.0), samples,
          std::accumulate(capped_.begin(), capped_.begin() + end, std::size_t{0})};
}

}  // namespace evenkeel::step
