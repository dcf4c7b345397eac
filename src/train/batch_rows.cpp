// In: a batch's rows. Out: current vectors before the loss, gradients on their way after it.
#include "train/batch_rows.h"

#include <algorithm>

#include "kernels/rows.h"

namespace evenkeel {
namespace {

void collect_rows(const Grouping& groups, std::vector<Row>& touched) {
  touched.clear();
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
    const auto rows = groups.rows(bucket);
    touched.insert(touched.end(), rows.begin(), rows.end());
  }
}

}  // namespace

BatchRows::BatchRows(const StepParts& parts, Similarity similarity, std::size_t most_user_entries,
                     std::size_t most_item_entries, double l2, std::size_t item_width,
                     std::size_t item_chunk)
    : parts_(parts),
      cosine_(similarity == Similarity::kCosine),
      l2_(l2),
      keeps_norms_(cosine_ && parts.encoder.vectors_are_tables()),
      user_groups_(vectors(Side::kUser).rows(), most_user_entries),
      item_groups_(vectors(Side::kItem).rows(), most_item_entries, item_width, item_chunk),
      late_(static_cast<std::size_t>(parts.threads.count())),
      row_update_(vectors(Side::kUser).stride(), parts.threads.count()) {
  touched_users_.reserve(std::min(most_user_entries, vectors(Side::kUser).rows()));
  touched_items_.reserve(std::min(most_item_entries, vectors(Side::kItem).rows()));
  for (auto& late : late_) late.reserve(Grouping::kMostRows);
  if (cosine_) {
    user_scale_.resize(vectors(Side::kUser).rows(), -1.0F);
    item_scale_.resize(vectors(Side::kItem).rows(), -1.0F);
  }
}

void BatchRows::each_bucket(FunctionRef<void(Side, std::span<const Row>, int)> work) {
  const std::size_t users = user_groups_.buckets();
  parts_.threads.for_chunks(users + item_groups_.buckets(), 1,
                            [&](std::size_t bucket, std::size_t, int worker) {
                              if (bucket < users) {
                                work(Side::kUser, user_groups_.rows(bucket), worker);
                              } else {
                                work(Side::kItem, item_groups_.rows(bucket - users), worker);
                              }
                            });
}

void BatchRows::gather(std::span<const Row> user_entries, std::span<const Row> item_entries) {
  parts_.users.begin_step();
  parts_.items.begin_step();
  user_groups_.build(user_entries, parts_.threads);
  item_groups_.build(item_entries, parts_.threads);
  each_bucket(
      [&](Side side, std::span<const Row> rows, int worker) { catch_up(side, rows, worker); });
  collect_rows(user_groups_, touched_users_);
  collect_rows(item_groups_, touched_items_);
  parts_.encoder.forward(touched_users_, touched_items_, parts_.threads);
  if (!cosine_ || keeps_norms_) return;
  each_bucket([&](Side side, std::span<const Row> rows, int) {
    kernels::inverse_norms(vectors(side).data(), stride(), rows.data(), rows.size(),
                           side == Side::kUser ? user_scale_.data() : item_scale_.data());
  });
}

// Rows that wait for missed steps, and norms that are not known or of rows that moved.
void BatchRows::catch_up(Side side, std::span<const Row> rows, int worker) {
  Optimizer& optimizer = side == Side::kUser ? parts_.users : parts_.items;
  std::vector<float>& norms = side == Side::kUser ? user_scale_ : item_scale_;
  std::vector<Row>& late = late_[static_cast<std::size_t>(worker)];
  late.clear();
  for (const Row row : rows) {
    if (optimizer.waits(row) || (keeps_norms_ && norms[row] < 0)) late.push_back(row);
  }
  optimizer.catch_up(late);
  if (keeps_norms_) {
    kernels::inverse_norms(vectors(side).data(), stride(), late.data(), late.size(), norms.data());
  }
}

void BatchRows::begin_epoch() {
  std::fill(user_scale_.begin(), user_scale_.end(), -1.0F);
  std::fill(item_scale_.begin(), item_scale_.end(), -1.0F);
}

void BatchRows::compared(Side side, std::span<const Row> rows, float* out) const {
  kernels::gather_rows(vectors(side).data(), stride(), rows.data(), rows.size(), scale(side), out);
}

void BatchRows::update(Side side, std::size_t samples, RowUpdate::Sum sum) {
  const float share = 1.0F / static_cast<float>(samples);
  RowConsumer& optimizer = side == Side::kUser ? parts_.users : parts_.items;
  row_update_.run(
      side == Side::kUser ? user_groups_ : item_groups_,
      {vectors(side), scale(side), share, static_cast<float>(l2_) * share,
       parts_.encoder.gradients(side, optimizer),
       keeps_norms_ ? (side == Side::kUser ? user_scale_ : item_scale_).data() : nullptr},
      parts_.threads, sum);
}

}  // namespace evenkeel
