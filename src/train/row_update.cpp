// In: groups of entries. Out: projected gradients at their consumer, block by block.
#include "train/row_update.h"

#include <algorithm>

#include "kernels/rows.h"

namespace evenkeel {

RowUpdate::RowUpdate(std::size_t stride, int workers)
    : scratch_(static_cast<std::size_t>(workers)) {
  for (Scratch& scratch : scratch_) {
    scratch.gradients = Matrix(kBlock, stride);
    scratch.decay.resize(kBlock);
  }
}

void RowUpdate::run(const Grouping& groups, const Target& target, Threads& threads, Sum sum) {
  const std::size_t stride = target.vectors.stride();
  const auto one_bucket = [&](std::size_t bucket, std::size_t, int worker) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    const auto rows = groups.rows(bucket);
    for (std::size_t first = 0; first < rows.size(); first += kBlock) {
      const std::size_t count = std::min(kBlock, rows.size() - first);
      for (std::size_t k = 0; k < count; ++k) {
        const auto entries = groups.entries(bucket, first + k);
        float* gradient = scratch.gradients.row(k);
        const std::size_t occurrences = sum(entries, worker, gradient);
        const Row row = rows[first + k];
        if (target.inverse_norms != nullptr) {
          kernels::project(target.vectors.row(row), stride, target.inverse_norms[row], target.scale,
                           gradient);
        } else {
          kernels::scale_row(gradient, stride, target.scale, gradient);
        }
        scratch.decay[k] = target.decay * static_cast<float>(occurrences);
      }
      target.to.consume(
          {rows.subspan(first, count), scratch.gradients.data(), stride, scratch.decay.data()});
      if (target.new_norms != nullptr) {  // while the moved rows are in L1
        kernels::inverse_norms(target.vectors.data(), stride, rows.data() + first, count,
                               target.new_norms);
      }
    }
  };
  threads.for_chunks(groups.buckets(), 1, one_bucket);
}

}  // namespace evenkeel
