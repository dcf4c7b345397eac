// In: positives. Out: loss and updates.
#include "step/pool_step.h"

#include <algorithm>
#include <numeric>

namespace evenkeel::step {
namespace {

constexpr std::size_t kColumns = 256;  // pool places in a piece of parallel work; whole panels
constexpr std::size_t kRowsGrain = 6;  // tile rows in one; whole blocks of the product

}  // namespace

PoolStep::PoolStep(const rows::StepParts& parts, const loss::Loss& loss, const data::Csr& items_of,
                   Kind kind, std::size_t items, std::size_t batch, std::size_t pool,
                   std::size_t tile, double l2)
    : kind_(kind),
      items_(items),
      pool_samples_(kind == Kind::kInBatch && pool > 0 ? std::min(pool, batch) : batch),
      tile_size_(std::min(tile, pool_samples_)),
      batch_(parts, loss, items_of, batch, kind == Kind::kInBatch ? batch : items, l2, {}),
      pool_(parts.encoder.table(Side::kItem).rows(), kind == Kind::kInBatch ? pool_samples_ : items,
            parts.encoder.table(Side::kItem).dim()),
      tile_(tile_size_, kind == Kind::kInBatch ? pool_samples_ : items),
      column_cuts_(static_cast<std::size_t>(parts.ranks.size()) + 1),
      own_columns_(kind == Kind::kAllItems && batch_.rows().divides(Side::kItem)) {
  if (!own_columns_) return;
  const auto owned = parts.encoder.owned_rows(Side::kItem);
  for (std::size_t r = 0; r < owned.size(); ++r) column_cuts_[r] = std::min(owned[r], items);
}

StepResult PoolStep::run(std::span<const Pair> positives, std::size_t) {
  const auto pool_rows = batch_.pool_rows();
  const bool in_batch = kind_ == Kind::kInBatch;
  const std::size_t size = in_batch ? positives.size() : items_;
  if (in_batch) {
    for (std::size_t b = 0; b < size; ++b) pool_rows[b] = positives[b].item;
  } else {
    std::iota(pool_rows.begin(), pool_rows.begin() + static_cast<std::ptrdiff_t>(size), Row{0});
  }
  batch_.begin(positives, size);
  batch_.fetch_everything(!in_batch);
  for (std::size_t begin = 0; begin < positives.size(); begin += pool_samples_) {
    const std::size_t end = std::min(positives.size(), begin + pool_samples_);
    const std::size_t first = in_batch ? begin : 0;
    load_pool(pool_rows.subspan(first, in_batch ? end - begin : size));
    for (std::size_t tile = begin; tile < end; tile += tile_size_) {
      one_tile(tile, std::min(end, tile + tile_size_), first, tile > begin);
    }
    share_pool(first);
  }
  return batch_.finish(false);
}

void PoolStep::load_pool(std::span<const Row> pool) {
  pool_.index(pool);
  batch_.rows().threads().for_chunks(
      pool.size(), kColumns,
      [&](std::size_t begin, std::size_t end, int) { pool_.load_part(batch_.rows(), begin, end); });
}

// Ranks share a tile's rows, then its columns.
void PoolStep::one_tile(std::size_t begin, std::size_t end, std::size_t first, bool accumulate) {
  Threads& threads = batch_.rows().threads();
  const std::size_t count = end - begin, rank = batch_.rows().rank();
  const auto rows = batch_.rows().cut(count, kRowsGrain);
  const std::size_t own = rows[rank], own_rows = rows[rank + 1] - own;
  threads.for_chunks(own_rows, kRowsGrain, [&](std::size_t from, std::size_t to, int) {
    batch_.prepare(begin + own + from, begin + own + to);
  });
  threads.for_chunks(pool_.size(), kColumns, [&](std::size_t from, std::size_t to, int) {
    tile_.compare(batch_.compared_users(), begin + own, own_rows, pool_, from / kRowFloats,
                  (to + kRowFloats - 1) / kRowFloats, own);
  });
  threads.for_chunks(own_rows, kRowsGrain, [&](std::size_t from, std::size_t to, int) {
    const std::size_t r = own + from, r_end = own + to;
    batch_.compute(begin + r, begin + r_end, tile_, r, pool_);
    tile_.user_gradients(r, r_end, pool_, batch_.user_gradients(), begin);
    for (std::size_t k = r; k < r_end; ++k) batch_.add_positive(begin + k);
  });
  share_tile(begin, rows);
  if (!own_columns_) cluster::even_cuts(pool_.size(), kColumns, column_cuts_);
  const std::size_t own_column = column_cuts_[rank];
  threads.for_chunks(
      column_cuts_[rank + 1] - own_column, kColumns, [&](std::size_t from, std::size_t to, int) {
        tile_.pool_gradients(batch_.compared_users(), begin, count, own_column + from,
                             own_column + to, batch_.item_gradients(), batch_.pool_place() + first,
                             accumulate);
      });
}

void PoolStep::share_tile(std::size_t begin, std::span<const std::size_t> rows) {
  if (batch_.rows().alone()) return;
  const auto samples = batch_.results(begin, rows);
  Matrix& users = batch_.compared_users();
  batch_.rows().shares().share({samples[0],
                                samples[1],
                                samples[2],
                                samples[3],
                                {users.row(begin), users.stride() * sizeof(float), rows},
                                {tile_.row(0), tile_.stride() * sizeof(float), rows}});
}

void PoolStep::share_pool(std::size_t first) {
  if (own_columns_) return;  // they are where they are needed
  Matrix& gradients = batch_.item_gradients();
  batch_.rows().shares().share({{gradients.row(batch_.pool_place() + first),
                                 gradients.stride() * sizeof(float), column_cuts_}});
}

}  // namespace evenkeel::step
