// In: groups of entries. Out: projected gradients at their consumer.
#include "rows/row_update.h"

#include <algorithm>

#include "kernels/rows.h"

namespace evenkeel::rows {

RowUpdate::RowUpdate(std::size_t stride, int workers)
    : scratch_(static_cast<std::size_t>(workers)) {
  for (Scratch& scratch : scratch_) {
    scratch.gradients = Matrix(kBlock, stride);
    scratch.decay.resize(kBlock);
  }
}

void RowUpdate::run(Grouping& groups, std::size_t begin, std::size_t end, const Target& target,
                    int worker, const Sums& sums) {
  for (std::size_t bucket = begin; bucket < end; ++bucket) groups.sort_bucket(bucket);
  for (std::size_t bucket = begin; bucket < end; ++bucket) {
    // Entries of later buckets may still be moving in another thread's hands; rows are not.
    const std::size_t next = bucket + 1;
    hand_over({.rows = groups.rows(bucket),
               .entries = {.starts = groups.starts(bucket),
                           .ids = groups.samples(),
                           .readable = groups.entries_before(end),
                           .weights = groups.weights()},
               .prefetch = {.next = next < groups.buckets() ? groups.rows(next)
                                                            : std::span<const Row>()}},
              target, worker, sums);
  }
}

void RowUpdate::run(const SingletonRows& singletons, const SingletonRows& later,
                    const Target& target, int worker, const Sums& sums) {
  hand_over({.rows = singletons.rows(),
             .entries = {.starts = singletons.starts(),
                         .ids = singletons.entries().data(),
                         .readable = singletons.entries().size()},
             .prefetch = {.later = later.rows()}},
            target, worker, sums);
}

void RowUpdate::hand_over(RowSums all, const Target& target, int worker, const Sums& sums) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
  all.entries.summands = sums.summands;
  all.normalisation = {target.inverse_norms, target.new_norms, target.scale};
  all.decay = {target.decay, sums.counted};
  all.scratch_row = scratch.gradients.data();
  all.past_caches = target.past_caches;
  if (target.to.takes_sums()) return target.to.consume_sums(all);
  in_blocks(all.rows, target, scratch, [&](std::size_t k, float* gradient) {
    kernels::row_sum(all, k, target.vectors.stride(), gradient);
    return counted_entries(all, k);
  });
}

void RowUpdate::run(Grouping& groups, std::size_t begin, std::size_t end, const Target& target,
                    int worker, Form form) {
  for (std::size_t bucket = begin; bucket < end; ++bucket) {
    groups.sort_bucket(bucket);
    in_blocks(groups.rows(bucket), target, scratch_[static_cast<std::size_t>(worker)],
              [&](std::size_t k, float* gradient) {
                return form(groups.samples(bucket, k), worker, gradient);
              });
  }
}

template <typename Write>
void RowUpdate::in_blocks(std::span<const Row> rows, const Target& target, Scratch& scratch,
                          Write write) {
  const std::size_t stride = target.vectors.stride();
  for (std::size_t first = 0; first < rows.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, rows.size() - first);
    for (std::size_t k = 0; k < count; ++k) {
      if (first + k + kAhead < rows.size()) target.to.prefetch(rows[first + k + kAhead]);
      const std::size_t occurrences = write(first + k, scratch.gradients.row(k));
      scratch.decay[k] = target.decay * static_cast<float>(occurrences);
    }
    if (target.inverse_norms != nullptr) {
      kernels::project_rows(target.vectors.data(), stride, rows.data() + first, count,
                            target.inverse_norms, target.scale, scratch.gradients.data());
    } else {
      kernels::scale_row(scratch.gradients.data(), count * stride, target.scale,
                         scratch.gradients.data());
    }
    target.to.consume(
        {rows.subspan(first, count), scratch.gradients.data(), stride, scratch.decay.data()});
    if (target.new_norms != nullptr) {  // while the moved rows are in L1
      kernels::inverse_norms(target.vectors.data(), stride, rows.data() + first, count,
                             target.new_norms);
    }
  }
}

}  // namespace evenkeel::rows
