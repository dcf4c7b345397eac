// In: rows. Out: sums of rows, in either width.
#include "encoder/layer.h"

#include <utility>

#include "kernels/rows.h"

namespace evenkeel::encoder {

Layer::Layer(Matrix table, bool half_width)
    : stride_(table.stride()),
      full_(std::move(table)),
      half_(half_width ? full_.rows() * stride_ : 0) {}

Layer::Layer(std::size_t rows, std::size_t dim, bool half_width)
    : stride_(padded(dim)),
      full_(half_width ? Matrix() : Matrix(rows, dim)),
      half_(half_width ? rows * stride_ : 0) {}

void Layer::sum(std::span<const Row> ids, std::size_t more, const float* scale, float* sum) const {
  if (half_.empty()) {
    kernels::gather_sum(full_.data(), stride_, ids.data(), nullptr, ids.size(), scale, sum, more);
  } else {
    kernels::sum_half_rows(half_.data(), stride_, ids.data(), ids.size(), more, sum);
  }
}

void Layer::add_row(std::size_t r, float factor, float scale, float* to) const {
  if (full_.empty()) {
    kernels::add_half_row(half_.data() + r * stride_, stride_, factor / scale, to);
  } else {
    kernels::add_scaled(full_.row(r), stride_, factor, to);
  }
}

cluster::Share Layer::share(std::span<const std::size_t> cuts) {
  if (half_.empty()) return cluster::share_of(full_, cuts);
  return {half_.data(), stride_ * sizeof(kernels::Half), cuts};
}

void Layer::keep(std::size_t r, float scale, const float* values) {
  if (!half_.empty()) kernels::narrow_row(values, stride_, scale, half_.data() + r * stride_);
}

}  // namespace evenkeel::encoder
