// In: a batch's rows. Out: current vectors before the loss, gradients on their way after it.
#include "rows/batch_rows.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel::rows {
namespace {

void list_rows(const Grouping& groups, std::vector<Row>& touched) {
  touched.clear();
  for (std::size_t bucket = 0; bucket < groups.buckets(); ++bucket) {
    const auto rows = groups.rows(bucket);
    touched.insert(touched.end(), rows.begin(), rows.end());
  }
}

Grouping::Layout layout_for(const StepParts& parts, Grouping::Layout layout) {
  layout.separate_singletons =
      layout.separate_singletons && parts.ranks.alone() && parts.encoder.vectors_are_tables();
  return layout;
}

}  // namespace

BatchRows::BatchRows(const StepParts& parts, loss::Similarity similarity,
                     std::size_t most_user_entries, std::size_t most_item_entries, double l2,
                     Grouping::Layout user_layout, Grouping::Layout item_layout)
    : parts_(parts),
      cosine_(similarity == loss::Similarity::kCosine),
      l2_(l2),
      keeps_norms_(cosine_ && parts.encoder.vectors_are_tables()),
      user_groups_(vectors(Side::kUser).rows(), most_user_entries, layout_for(parts, user_layout)),
      item_groups_(vectors(Side::kItem).rows(), most_item_entries, layout_for(parts, item_layout)),
      exchange_(parts),
      shares_(parts.ranks),
      cuts_(static_cast<std::size_t>(parts.ranks.size()) + 1),
      stale_(static_cast<std::size_t>(parts.threads.count())),
      row_update_(vectors(Side::kUser).stride(), parts.threads.count()) {
  check_owned(Side::kUser);
  check_owned(Side::kItem);
  touched_users_.reserve(std::min(most_user_entries, vectors(Side::kUser).rows()));
  touched_items_.reserve(std::min(most_item_entries, vectors(Side::kItem).rows()));
  for (auto& stale : stale_) {
    stale.reserve(std::max(touched_users_.capacity(), touched_items_.capacity()));
  }
  const std::size_t most_singletons =
      std::max(user_groups_.separate_singletons() ? most_user_entries : 0,
               item_groups_.separate_singletons() ? most_item_entries : 0);
  singletons_.assign(stale_.size(), SingletonRows(most_singletons));
  next_singletons_ = singletons_;
  if (cosine_) {
    user_scale_.resize(vectors(Side::kUser).rows());
    item_scale_.resize(vectors(Side::kItem).rows());
  }
}

void BatchRows::check_owned(Side side) {
  const RowRange own = exchange_.moved(side);
  for (const std::size_t place : {own.begin, own.end}) {
    EVENKEEL_CHECK(place % groups(side).bucket_rows() == 0 || place == vectors(side).rows());
  }
}

std::span<const std::size_t> BatchRows::cut(std::size_t samples, std::size_t grain) {
  cluster::even_cuts(samples, grain, cuts_);
  return cuts_;
}

BatchRows::BucketRange BatchRows::moved(Side side) {
  const RowRange own = exchange_.moved(side);
  const std::size_t rows = groups(side).bucket_rows();
  return {(own.begin + rows - 1) / rows, (own.end + rows - 1) / rows};
}

void BatchRows::fetch(std::span<const Worked> users, std::span<const Worked> items,
                      Matrix& compared) {
  if (alone()) return;
  exchange_.fetch(
      {user_entries_, users},
      [&](std::span<const Row> rows, float* out) { this->compared(Side::kUser, rows, out); },
      compared, {item_entries_, items}, keeps_norms_ ? item_scale_.data() : nullptr);
}

void BatchRows::fetch_all_items() {
  exchange_.fetch_all_items(shares_, keeps_norms_ ? item_scale_.data() : nullptr);
}

void BatchRows::compare_users(std::size_t begin, std::size_t end, Matrix& compared) {
  const auto users = user_entries_.subspan(begin, end - begin);
  if (!divides(Side::kUser)) return this->compared(Side::kUser, users, compared.row(begin));
  for (std::size_t k = 0; k < users.size(); ++k) {
    if (!exchange_.owns(users[k])) continue;
    this->compared(Side::kUser, users.subspan(k, 1), compared.row(begin + k));
  }
}

void BatchRows::return_gradients(float* users, std::span<const Worked> user_work, float* items,
                                 std::span<const Worked> item_work,
                                 std::span<const cluster::Share> shares) {
  if (alone()) return;
  exchange_.return_gradients({users, {user_entries_, user_work}},
                             {items, {item_entries_, item_work}}, shares);
}

void BatchRows::each(std::size_t users, std::size_t items,
                     FunctionRef<void(Side, std::size_t, int)> work) {
  const std::size_t all = users + items;
  parts_.threads.for_chunks(all, 1, [&](std::size_t k, std::size_t, int worker) {
    const std::size_t item = k * items / all, next = (k + 1) * items / all;
    next > item ? work(Side::kItem, item, worker) : work(Side::kUser, k - item, worker);
  });
}

void BatchRows::each_bucket(FunctionRef<void(Side, std::size_t, std::size_t, int)> work) {
  const BucketRange users = moved(Side::kUser), items = moved(Side::kItem);
  const auto unit = [](const BucketRange& range) {
    return std::max<std::size_t>(1, (range.end - range.begin + kUnits - 1) / kUnits);
  };
  const auto units = [&](const BucketRange& range) {
    return (range.end - range.begin + unit(range) - 1) / unit(range);
  };
  each(units(users), units(items), [&](Side side, std::size_t k, int worker) {
    const BucketRange& range = side == Side::kUser ? users : items;
    const std::size_t begin = range.begin + k * unit(range);
    work(side, begin, std::min(begin + unit(range), range.end), worker);
  });
}

void BatchRows::gather(std::span<const Row> user_entries, std::span<const Row> item_entries) {
  parts_.users.begin_step();
  parts_.items.begin_step();
  user_entries_ = user_entries;
  item_entries_ = item_entries;
  if (keeps_norms_ && !norms_known_) renew_norms();
  group(user_entries, item_entries);
  if (!parts_.encoder.vectors_are_tables()) encode();
}

// Finds the rows; they catch up as soon as they are known.
void BatchRows::group(std::span<const Row> user_entries, std::span<const Row> item_entries) {
  const std::size_t users = user_groups_.begin(user_entries);
  const std::size_t items = item_groups_.begin(item_entries);
  each(users, items, [&](Side side, std::size_t chunk, int) { groups(side).count_chunk(chunk); });
  user_groups_.prefix_sums();
  item_groups_.prefix_sums();
  each(users, items, [&](Side side, std::size_t chunk, int) { groups(side).scatter_chunk(chunk); });
  each_bucket([&](Side side, std::size_t begin, std::size_t end, int worker) {
    std::vector<Row>& stale = stale_[static_cast<std::size_t>(worker)];
    stale.clear();
    for (std::size_t bucket = begin; bucket < end; ++bucket) {
      groups(side).collect_rows(bucket);
      optimizer(side).collect_stale_rows(groups(side).rows(bucket), stale);
    }
    catch_up(side, stale);
  });
  for (const Side side : {Side::kUser, Side::kItem}) {  // what follows is looked at, not moved
    const std::size_t next = moved(side).end;
    if (next < groups(side).buckets()) groups(side).collect_rows(next);
  }
}

void BatchRows::renew_norms() {
  for (const Side side : {Side::kUser, Side::kItem}) {
    constexpr std::size_t kGrain = 256;
    std::array<Row, kGrain> rows;
    std::iota(rows.begin(), rows.end(), Row{0});
    const RowRange own = exchange_.moved(side);  // others' come with their rows
    parts_.threads.for_chunks(own.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
      const std::size_t first = own.begin + begin;
      kernels::inverse_norms(vectors(side).row(first), stride(), rows.data(), end - begin,
                             norms(side).data() + first);
    });
  }
  norms_known_ = true;
}

void BatchRows::encode() {
  list_rows(user_groups_, touched_users_);
  list_rows(item_groups_, touched_items_);
  parts_.encoder.forward(touched_users_, touched_items_, parts_.threads);
  if (!cosine_) return;
  each(user_groups_.buckets(), item_groups_.buckets(), [&](Side side, std::size_t bucket, int) {
    const auto rows = groups(side).rows(bucket);
    kernels::inverse_norms(vectors(side).data(), stride(), rows.data(), rows.size(),
                           norms(side).data());
  });
}

// Rows that wait for missed steps; their norms change.
void BatchRows::catch_up(Side side, std::span<const Row> stale) {
  optimizer(side).catch_up(stale);
  if (keeps_norms_) {
    kernels::inverse_norms(vectors(side).data(), stride(), stale.data(), stale.size(),
                           norms(side).data());
  }
}

void BatchRows::begin_singletons(Side side, std::size_t first, std::span<const Row> rows,
                                 int worker) {
  if (!groups(side).separate_singletons()) return;
  SingletonRows& singletons = singletons_[static_cast<std::size_t>(worker)];
  std::vector<Row>& stale = stale_[static_cast<std::size_t>(worker)];
  singletons.select(groups(side), first, rows);
  stale.clear();
  optimizer(side).collect_stale_rows(singletons.rows(), stale);
  catch_up(side, stale);
}

void BatchRows::update_singletons(Side side, std::size_t first, std::span<const Row> rows,
                                  std::span<const Row> next, std::size_t samples,
                                  const RowUpdate::Sums& sums, int worker) {
  if (!groups(side).separate_singletons()) return;
  SingletonRows& singletons = singletons_[static_cast<std::size_t>(worker)];
  SingletonRows& later = next_singletons_[static_cast<std::size_t>(worker)];
  singletons.select(groups(side), first, rows);
  later.select(groups(side), first + rows.size(), next);
  row_update_.run(singletons, later, target(side, samples), worker, sums);
}

void BatchRows::compared(Side side, std::span<const Row> rows, float* out) const {
  kernels::gather_rows(vectors(side).data(), stride(), rows.data(), rows.size(), scale(side), out);
}

RowUpdate::Target BatchRows::target(Side side, std::size_t samples) {
  const float share = 1.0F / static_cast<float>(samples);
  return {vectors(side),
          scale(side),
          share,
          static_cast<float>(l2_) * share,
          parts_.encoder.gradients(side, optimizer(side)),
          keeps_norms_ ? norms(side).data() : nullptr};
}

// A step's writes are felt until the next step's: it is timed from update to update.
bool BatchRows::write_items_past_caches() {
  const auto now = std::chrono::steady_clock::now();
  const bool first = last_update_ == std::chrono::steady_clock::time_point{};
  item_writes_.record(first ? 0.0 : std::chrono::duration<double>(now - last_update_).count());
  last_update_ = now;
  return parts_.threads.count() > 1 && item_writes_.use_second();
}

template <typename Sums>
void BatchRows::update_with(std::size_t samples, Sums user_sums, Sums item_sums) {
  const RowUpdate::Target users = target(Side::kUser, samples);
  RowUpdate::Target items = target(Side::kItem, samples);
  items.past_caches = write_items_past_caches();
  each_bucket([&](Side side, std::size_t begin, std::size_t end, int worker) {
    const bool user = side == Side::kUser;
    row_update_.run(groups(side), begin, end, user ? users : items, worker,
                    user ? user_sums : item_sums);
  });
  parts_.encoder.backward(parts_.users, parts_.items, parts_.threads);
}

void BatchRows::update(std::size_t samples, const RowUpdate::Sums& users,
                       const RowUpdate::Sums& items) {
  update_with(samples, users, items);
}

void BatchRows::update(std::size_t samples, RowUpdate::Form users, RowUpdate::Form items) {
  update_with(samples, users, items);
}

}  // namespace evenkeel::rows
