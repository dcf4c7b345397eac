// In: a batch of rows. Out: its loss, and both tables one step further. Regions follow each other
// with a barrier between: what a region reads, none writes meanwhile.
#include "train/exact_step.h"

#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel {
namespace {

constexpr std::size_t kSampleGrain = 32;

void collect_rows(const Grouping& groups, std::vector<Row>& touched) {
  touched.clear();
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
    const auto rows = groups.rows(bucket);
    touched.insert(touched.end(), rows.begin(), rows.end());
  }
}

}  // namespace

ExactStep::ExactStep(const StepParts& parts, std::size_t batch, std::size_t negatives, double l2)
    : parts_(parts),
      width_(1 + negatives),
      l2_(l2),
      cosine_(parts.loss.similarity() == Similarity::kCosine),
      users_(batch),
      items_(batch * width_),
      user_groups_(parts.encoder.table(Side::kUser).rows(), batch),
      item_groups_(parts.encoder.table(Side::kItem).rows(), batch * width_),
      compared_users_(batch, parts.encoder.table(Side::kUser).dim()),
      user_gradients_(batch, parts.encoder.table(Side::kUser).dim()),
      similarities_(batch * width_),
      losses_(batch),
      capped_(batch),
      row_update_(compared_users_.stride(), parts.threads.count()),
      gather_(static_cast<std::size_t>(parts.threads.count())) {
  if (batch * width_ >= (std::size_t{1} << 31)) {
    fail_config("--batch {} with {} negatives is too large; lower one of them", batch, negatives);
  }
  touched_users_.reserve(std::min(batch, parts.encoder.table(Side::kUser).rows()));
  touched_items_.reserve(std::min(batch * width_, parts.encoder.table(Side::kItem).rows()));
  for (Gather& gather : gather_) {
    gather.ids.resize(batch * width_);
    gather.weights.resize(batch * width_);
  }
  if (cosine_) {
    user_scale_.resize(parts.encoder.table(Side::kUser).rows());
    item_scale_.resize(parts.encoder.table(Side::kItem).rows());
  }
}

StepResult ExactStep::run(std::size_t samples) {
  parts_.users.begin_step();
  parts_.items.begin_step();
  refresh(samples);
  StepResult result;
  result.samples = samples;
  result.loss = forward(samples);
  result.capped = std::accumulate(capped_.begin(), capped_.begin() + static_cast<long>(samples),
                                  std::size_t{0});
  update(samples);
  parts_.encoder.backward(parts_.users, parts_.items, parts_.threads);
  return result;
}

// Which rows the batch touches; those rows up to date, encoded, and their norms.
void ExactStep::refresh(std::size_t samples) {
  Threads& threads = parts_.threads;
  user_groups_.build(std::span<const Row>(users_).first(samples), threads);
  item_groups_.build(std::span<const Row>(items_).first(samples * width_), threads);
  const std::size_t user_buckets = user_groups_.buckets();
  const auto each_bucket = [&](auto work) {
    threads.for_chunks(
        user_buckets + item_groups_.buckets(), 1, [&](std::size_t bucket, std::size_t, int) {
          const bool user = bucket < user_buckets;
          work(user ? Side::kUser : Side::kItem,
               user ? user_groups_.rows(bucket) : item_groups_.rows(bucket - user_buckets));
        });
  };
  each_bucket([&](Side side, std::span<const Row> rows) {
    (side == Side::kUser ? parts_.users : parts_.items).catch_up(rows);
  });
  collect_rows(user_groups_, touched_users_);
  collect_rows(item_groups_, touched_items_);
  parts_.encoder.forward(touched_users_, touched_items_, threads);
  if (!cosine_) return;
  each_bucket([&](Side side, std::span<const Row> rows) {
    const Matrix& vectors = parts_.encoder.vectors(side);
    kernels::inverse_norms(vectors.data(), vectors.stride(), rows.data(), rows.size(),
                           side == Side::kUser ? user_scale_.data() : item_scale_.data());
  });
}

// Similarities, loss and the user's gradient of each sample, while its rows are in cache.
double ExactStep::forward(std::size_t samples) {
  const Matrix& users = parts_.encoder.vectors(Side::kUser);
  const Matrix& items = parts_.encoder.vectors(Side::kItem);
  const std::size_t stride = users.stride();
  const float* item_scale = cosine_ ? item_scale_.data() : nullptr;
  const auto one_sample = [&](std::size_t b) {
    const Row user = users_[b];
    const Row* rows = items_.data() + b * width_;
    float* row = similarities_.data() + b * width_;
    kernels::scale_row(users.row(user), stride, cosine_ ? user_scale_[user] : 1.0F,
                       compared_users_.row(b));
    kernels::gather_dots(compared_users_.row(b), items.data(), stride, rows, width_, item_scale,
                         row);
    Sample sample{.user = user,
                  .item = rows[0],
                  .positive = row[0],
                  .negatives = row + 1,
                  .count = width_ - 1,
                  .unmasked = width_ - 1,
                  .d_negatives = row + 1};
    losses_[b] = parts_.loss.compute(sample);
    row[0] = sample.d_positive;
    capped_[b] = sample.capped ? 1 : 0;
    kernels::gather_sum(items.data(), stride, rows, row, width_, item_scale,
                        user_gradients_.row(b));
  };
  parts_.threads.for_chunks(samples, kSampleGrain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) one_sample(b);
  });
  return std::accumulate(losses_.begin(), losses_.begin() + static_cast<long>(samples), 0.0);
}

void ExactStep::update(std::size_t samples) {
  Threads& threads = parts_.threads;
  const std::size_t stride = compared_users_.stride();
  const float scale = 1.0F / static_cast<float>(samples);
  const float decay = static_cast<float>(l2_) * scale;
  const auto item_sum = [&](std::span<const std::uint32_t> entries, int worker, float* gradient) {
    Gather& gather = gather_[static_cast<std::size_t>(worker)];
    for (std::size_t k = 0; k < entries.size(); ++k) {
      gather.ids[k] = entries[k] / static_cast<std::uint32_t>(width_);
      gather.weights[k] = similarities_[entries[k]];
    }
    kernels::gather_sum(compared_users_.data(), stride, gather.ids.data(), gather.weights.data(),
                        entries.size(), nullptr, gradient);
  };
  row_update_.run(item_groups_,
                  {parts_.encoder.vectors(Side::kItem), cosine_ ? item_scale_.data() : nullptr,
                   scale, decay, parts_.encoder.gradients(Side::kItem, parts_.items)},
                  threads, item_sum);
  const auto user_sum = [&](std::span<const std::uint32_t> entries, int worker, float* gradient) {
    Gather& gather = gather_[static_cast<std::size_t>(worker)];
    std::fill_n(gather.weights.begin(), entries.size(), 1.0F);
    kernels::gather_sum(user_gradients_.data(), stride, entries.data(), gather.weights.data(),
                        entries.size(), nullptr, gradient);
  };
  row_update_.run(user_groups_,
                  {parts_.encoder.vectors(Side::kUser), cosine_ ? user_scale_.data() : nullptr,
                   scale, decay, parts_.encoder.gradients(Side::kUser, parts_.users)},
                  threads, user_sum);
}

}  // namespace evenkeel
