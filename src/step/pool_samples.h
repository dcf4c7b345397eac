// What the steps with shared negatives have in common. In: the positives of a batch and the item
// rows of its pools; out: samples prepared, positives' share of every gradient added, rows updated.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "data/csr.h"
#include "rows/batch_rows.h"
#include "step/pool.h"
#include "step/step.h"

namespace evenkeel::step {

class PoolSamples {
 public:
  // Whose rows, if named once, are looked after tile by tile, with begin_singletons() and
  // update_singletons().
  struct Separate {
    bool users = false, items = false;
  };
  PoolSamples(const rows::StepParts& parts, const loss::Loss& loss, const data::Csr& items_of,
              std::size_t batch, std::size_t most_pool_rows, double l2, Separate separate);

  // Entries of the batch: its positives, then the rows of its pools, which the caller writes to
  // pool_rows() first.
  std::span<Row> pool_rows() { return std::span(item_entries_).subspan(batch_); }
  void begin(std::span<const Pair> positives, std::size_t pool_rows);
  // Of several ranks: brings here what this one works on. By rank: samples, and pool rows.
  void fetch(std::span<const std::size_t> cuts, std::span<const std::size_t> pool_cuts);
  void fetch_everything(bool all_items);  // of the batch, or users of the batch and all items

  // Compared vectors of the users and the positives' similarities, for samples [begin, end).
  void prepare(std::size_t begin, std::size_t end);
  // Losses of samples [begin, end) against the pool; their tile rows, from r on, then hold
  // derivatives, or exponentials that a factor of the sample, applied by add_positive(), makes
  // derivatives.
  void compute(std::size_t begin, std::size_t end, Tile& tile, std::size_t r, const Pool& pool);
  // Adds the positive's part to both gradients, after the tile has written the user's pool part
  // and before it writes the pool's.
  void add_positive(std::size_t b);

  // Singletons of samples [begin, end) and of a stretch of the pools' rows: before they are read,
  // and once their gradients are known.
  void begin_singletons(std::size_t begin, std::size_t end, int worker);
  void update_singletons(std::size_t begin, std::size_t end, int worker);
  void begin_singleton_pool(std::size_t begin, std::size_t end, int worker);
  void update_singleton_pool(std::size_t begin, std::size_t end, int worker);

  // What other ranks need of samples from `begin` on, of which cuts tell who has worked on which:
  // both gradients, losses and caps.
  std::array<cluster::Share, 4> results(std::size_t begin, std::span<const std::size_t> cuts);
  // After fetch(): brings gradients to whoever moves their rows, losses and caps to everybody.
  void return_results(std::span<const std::size_t> cuts, std::span<const std::size_t> pool_cuts);

  // `counts_pool`: L2 counts pool rows as drawn.
  StepResult finish(bool counts_pool);

  rows::BatchRows& rows() { return rows_; }
  Matrix& compared_users() { return compared_users_; }
  Matrix& user_gradients() { return user_gradients_; }
  Matrix& item_gradients() { return item_gradients_; }
  std::size_t pool_place() const { return batch_; }  // of the first pool row in item_gradients()
  std::size_t samples() const { return positives_.size(); }

 private:
  rows::RowUpdate::Sums user_sums() const { return {user_gradients_.data()}; }
  rows::RowUpdate::Sums item_sums() const { return {item_gradients_.row(batch_ - samples())}; }
  std::span<const Row> item_rows(std::size_t begin, std::size_t end) const {
    return std::span(item_entries_).subspan(batch_ - samples() + begin, end - begin);
  }
  loss::Sample sample_of(std::size_t b) const;
  void keep(std::size_t b, const loss::Sample& sample);

  const loss::Loss& loss_;
  const loss::PartitionLoss*
      partition_loss_;  // the loss, if its exponentials need no maximum; else null
  const data::Csr& items_of_;
  std::size_t batch_;
  rows::BatchRows rows_;
  std::span<const Pair> positives_;
  std::size_t pool_size_ = 0;  // rows of all pools
  std::vector<Row> users_;
  std::vector<Row> item_entries_;  // positives, then pool rows
  Matrix compared_users_, user_gradients_;
  Matrix item_gradients_;  // by entry, at the places of item_entries_
  std::vector<float> positive_, d_positive_, factors_, rests_, losses_;
  std::vector<std::uint8_t> capped_;
};

}  // namespace evenkeel::step
