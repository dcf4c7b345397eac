// In: pools and tiles. Out: similarities, losses, gradients.
#include "step/pool.h"

#include <algorithm>

#include "kernels/gemm.h"

namespace evenkeel::step {

using kernels::kPanel;

Pool::Pool(std::size_t items, std::size_t most, std::size_t dim)
    : vectors_(most, dim),
      panels_(padded(most) * padded(dim)),
      first_(items, kNone),
      next_(most, kNone),
      present_((items + 31) / 32, 0) {
  items_.reserve(most);
}

void Pool::index(std::span<const Row> items) {
  for (const Row item : items_) {
    first_[item] = kNone;
    present_[item / 32] = 0;
  }
  items_.assign(items.begin(), items.end());
  for (std::size_t place = items.size(); place-- > 0;) {  // backwards: chains ascend
    next_[place] = first_[items[place]];
    first_[items[place]] = static_cast<std::uint32_t>(place);
    present_[items[place] / 32] |= 1U << (items[place] % 32);
  }
}

void Pool::load_part(const rows::BatchRows& rows, std::size_t begin, std::size_t end) {
  rows.compared(Side::kItem, std::span<const Row>(items_).subspan(begin, end - begin),
                vectors_.row(begin));
  kernels::pack_panels(vectors_.row(begin), end - begin, vectors_.stride(),
                       panels_.data() + begin * vectors_.stride());
}

void Pool::load(std::span<const Row> items, const rows::BatchRows& rows) {
  index(items);
  load_part(rows, 0, items.size());
}

// One panel more than needed: rows a power of two apart would fight for the same cache set.
Tile::Tile(std::size_t rows, std::size_t most)
    : stride_(padded(most) + kPanel), values_(rows * stride_) {}

void Tile::compare(const Matrix& users, std::size_t first, std::size_t count, const Pool& pool,
                   std::size_t panel_begin, std::size_t panel_end, std::size_t r) {
  const std::size_t depth = users.stride();
  kernels::gemm({.rows = count,
                 .panels = panel_end - panel_begin,
                 .depth = depth,
                 .a = users.row(first),
                 .a_row = depth,
                 .a_depth = 1,
                 .b = pool.panels() + panel_begin * kPanel * depth,
                 .b_panel = kPanel * depth,
                 .b_depth = kPanel,
                 .c = row(r) + panel_begin * kPanel,
                 .c_row = stride_});
}

std::size_t Tile::mask(std::size_t r, const Pool& pool, std::span<const Row> owned) {
  float* values = row(r);
  std::size_t unmasked = pool.size();
  for (const Row item : owned) {
    pool.for_places(item, [&](std::uint32_t place) {
      values[place] = -std::numeric_limits<float>::infinity();
      --unmasked;
    });
  }
  return unmasked;
}

void Tile::user_gradients(std::size_t begin, std::size_t end, const Pool& pool, Matrix& gradients,
                          std::size_t first) const {
  const std::size_t stride = gradients.stride();
  kernels::gemm({.rows = end - begin,
                 .panels = stride / kPanel,
                 .depth = pool.size(),
                 .a = values_.data() + begin * stride_,
                 .a_row = stride_,
                 .a_depth = 1,
                 .b = pool.vectors().data(),
                 .b_panel = kPanel,
                 .b_depth = stride,
                 .c = gradients.row(first + begin),
                 .c_row = stride});
}

void Tile::pool_gradients(const Matrix& users, std::size_t first, std::size_t count,
                          std::size_t begin, std::size_t end, Matrix& gradients, std::size_t at,
                          bool accumulate) const {
  const std::size_t stride = gradients.stride();
  kernels::gemm({.rows = end - begin,
                 .panels = stride / kPanel,
                 .depth = count,
                 .a = values_.data() + begin,
                 .a_row = 1,
                 .a_depth = stride_,
                 .b = users.row(first),
                 .b_panel = kPanel,
                 .b_depth = stride,
                 .c = gradients.row(at + begin),
                 .c_row = stride,
                 .accumulate = accumulate});
}

}  // namespace evenkeel::step
