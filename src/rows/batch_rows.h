// The rows of a batch, common to every kind of step. In: which user and item rows the batch names;
// out: those rows up to date, encoded and with their norms; and, after the loss, their gradients
// summed row by row and handed on. Of several ranks each knows the rows of the whole batch, works
// out the vectors and gradients of some samples, and moves the rows that it owns.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "base/timed_choice.h"
#include "cluster/shares.h"
#include "loss/loss.h"
#include "rows/grouping.h"
#include "rows/row_exchange.h"
#include "rows/row_update.h"
#include "rows/step_parts.h"

namespace evenkeel::rows {

class BatchRows {
 public:
  // `separate_singletons` in a layout: the caller looks after singletons, with the two calls below.
  // It counts only where vectors are rows of the tables and in one process, and those calls do
  // nothing where it does not.
  BatchRows(const StepParts& parts, loss::Similarity similarity, std::size_t most_user_entries,
            std::size_t most_item_entries, double l2, Grouping::Layout user_layout = {},
            Grouping::Layout item_layout = {});

  void begin_epoch() {  // rows may have moved since the last step
    norms_known_ = false;
    last_update_ = {};
  }
  // Begins a step for these entries (rows, repeated as they come).
  void gather(std::span<const Row> user_entries, std::span<const Row> item_entries);

  const Matrix& vectors(Side side) const { return parts_.encoder.vectors(side); }
  // 1 / norm by row; null for dot products.
  const float* scale(Side side) const {
    return cosine_ ? (side == Side::kUser ? user_scale_ : item_scale_).data() : nullptr;
  }
  // The samples that each rank works on: [cuts[r], cuts[r + 1]), whole grains. They hold until the
  // next call.
  std::span<const std::size_t> cut(std::size_t samples, std::size_t grain);
  std::size_t rank() const { return static_cast<std::size_t>(parts_.ranks.rank()); }
  bool alone() const { return parts_.ranks.alone(); }
  cluster::Shares& shares() { return shares_; }
  // Whether rows of a side have owners; elsewhere every rank catches up and moves all of them.
  bool divides(Side side) const { return exchange_.divides(side); }
  // Of several ranks: brings here the rows of others that this one works on. Users come as they
  // are compared, by sample; items to their own places.
  void fetch(std::span<const Worked> users, std::span<const Worked> items, Matrix& compared);
  void fetch_all_items();  // whether the batch names them or not
  // Compared users of samples [begin, end) that fetch() has not brought.
  void compare_users(std::size_t begin, std::size_t end, Matrix& compared);
  // Brings each gradient to whoever moves its row, and the shares to everybody. One padded row for
  // each entry; null: there are none.
  void return_gradients(float* users, std::span<const Worked> user_work, float* items,
                        std::span<const Worked> item_work, std::span<const cluster::Share> shares);

  // Rows as they are compared: unit length for cosine; one padded row each.
  void compared(Side side, std::span<const Row> rows, float* out) const;

  // The rows named once (rows/singleton_rows.h) by entries from `first` on, which name these rows:
  // before they are read, and once the entries' gradients are known. `samples`: the batch's size.
  // The entries that follow are those of `next`, which this worker probably does after these.
  void begin_singletons(Side side, std::size_t first, std::span<const Row> rows, int worker);
  void update_singletons(Side side, std::size_t first, std::span<const Row> rows,
                         std::span<const Row> next, std::size_t samples,
                         const RowUpdate::Sums& sums, int worker);

  // Before update(), where the item layout is weighted.
  void set_item_weights(std::size_t first_sample, std::span<const float> weights) {
    item_groups_.set_weights(first_sample, weights);
  }
  // Ends the step: gradients from sums over the rows' entries, or formed otherwise. `samples` is
  // the batch's size.
  void update(std::size_t samples, const RowUpdate::Sums& users, const RowUpdate::Sums& items);
  void update(std::size_t samples, RowUpdate::Form users, RowUpdate::Form items);

  Threads& threads() { return parts_.threads; }
  std::size_t stride() const { return vectors(Side::kUser).stride(); }

 private:
  // work(side, k, worker) for k below `users` and below `items` in one parallel region: users are
  // few beside items, and workers would wait for each other in a region of their own. Both are
  // spread evenly, so that a worker meets the same rows in every step.
  void each(std::size_t users, std::size_t items, FunctionRef<void(Side, std::size_t, int)> work);
  // work(side, begin, end, worker) for runs of buckets: a bucket of users has a handful of rows,
  // and what comes next can be fetched early only by whoever will need it.
  void each_bucket(FunctionRef<void(Side, std::size_t, std::size_t, int)> work);
  static constexpr std::size_t kUnits = 32;  // runs of a side: enough to share out
  Grouping& groups(Side side) { return side == Side::kUser ? user_groups_ : item_groups_; }
  optim::Optimizer& optimizer(Side side) {
    return side == Side::kUser ? parts_.users : parts_.items;
  }
  std::vector<float>& norms(Side side) { return side == Side::kUser ? user_scale_ : item_scale_; }
  void group(std::span<const Row> user_entries, std::span<const Row> item_entries);
  void encode();
  void renew_norms();
  void check_owned(Side side);
  RowUpdate::Target target(Side side, std::size_t samples);
  void catch_up(Side side, std::span<const Row> stale);
  bool write_items_past_caches();
  template <typename Sums>
  void update_with(std::size_t samples, Sums user_sums, Sums item_sums);

  StepParts parts_;
  bool cosine_;
  double l2_;
  bool keeps_norms_;  // vectors move only in updates, which then renew their norms
  Grouping user_groups_, item_groups_;
  struct BucketRange {
    std::size_t begin, end;
  };
  BucketRange moved(Side side);  // buckets whose rows this rank catches up and moves
  RowExchange exchange_;
  cluster::Shares shares_;
  std::vector<std::size_t> cuts_;
  std::span<const Row> user_entries_, item_entries_;  // of this step
  std::vector<Row> touched_users_, touched_items_;
  std::vector<float> user_scale_, item_scale_;
  bool norms_known_ = false;
  std::vector<std::vector<Row>> stale_;                      // one per worker: rows to catch up
  std::vector<SingletonRows> singletons_, next_singletons_;  // one per worker
  RowUpdate row_update_;
  // Item rows that several workers read: in the caches, or (second) past them.
  TimedChoice item_writes_;
  std::chrono::steady_clock::time_point last_update_{};  // its start; none before an epoch's first
};

}  // namespace evenkeel::rows
