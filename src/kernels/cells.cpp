// In: a cell. Out: similarities and gradients. An item's row is read from the L3 cache once a cell
// and then from L2; with samples in turn each of 129 random rows would come from L3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cells.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include "kernels/rows-inl.h"
// clang-format on

#include "kernels/cells.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {

HWY_INLINE float scale_of(const CellTables& tables, const CellEntry& entry) {
  return tables.item_scale == nullptr ? 1.0F : tables.item_scale[entry.row];
}

// Spreads the fetching of the next bucket evenly over the entries of this cell: whole and in order,
// so that it comes at the memory's full rate, long before it is needed.
class Fetcher {
 public:
  HWY_INLINE Fetcher(const CellTables& tables, std::size_t entries)
      : at_(tables.next),
        end_(tables.next + tables.next_floats),
        share_(entries == 0 ? 0 : (tables.next_floats / 16 + entries - 1) / entries) {}
  HWY_INLINE void step() {
    for (std::size_t line = 0; line < share_ && at_ < end_; ++line, at_ += 16) {
      __builtin_prefetch(at_, 0, 2);
    }
  }

 private:
  const float *at_, *end_;
  std::size_t share_;  // lines an entry
};

void cell_dots(const CellTables& tables, std::span<const CellEntry> cell, const float* users,
               float* out) {
  const D d;
  const float* items = tables.items;
  const std::size_t size = cell.size();
  Fetcher fetcher(tables, size);
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    const auto product = [&](const CellEntry& e) HWY_ATTR {
      return row_product(d, users + e.sample * stride, items + e.row * stride, stride);
    };
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4) {
      for (std::size_t i = 0; i < 4; ++i) fetcher.step();
      four_sums(d, product(cell[k]), product(cell[k + 1]), product(cell[k + 2]),
                product(cell[k + 3]), out + k);
      for (std::size_t i = 0; i < 4; ++i) out[k + i] *= scale_of(tables, cell[k + i]);
    }
    // The rest in the same way of summing: where a cell ends depends on the number of threads.
    for (; k < size; ++k) {
      const V v = product(cell[k]);
      float sums[4];
      four_sums(d, v, v, v, v, sums);
      out[k] = sums[0] * scale_of(tables, cell[k]);
    }
  });
}

void cell_sums(const CellTables& tables, std::span<const CellEntry> cell, const float* weights,
               float* gradients) {
  const D d;
  Fetcher fetcher(tables, cell.size());
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for (std::size_t k = 0; k < cell.size(); ++k) {
      fetcher.step();
      const V weight = hn::Set(d, weights[k] * scale_of(tables, cell[k]));
      const float* row = tables.items + cell[k].row * stride;
      float* gradient = gradients + cell[k].sample * stride;
      for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
        hn::Store(hn::MulAdd(weight, hn::Load(d, row + c), hn::Load(d, gradient + c)), d,
                  gradient + c);
      }
    }
  });
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(cell_dots);
HWY_EXPORT(cell_sums);
void cell_dots(const CellTables& tables, std::span<const CellEntry> cell, const float* users,
               float* out) {
  HWY_DYNAMIC_DISPATCH(cell_dots)(tables, cell, users, out);
}
void cell_sums(const CellTables& tables, std::span<const CellEntry> cell, const float* weights,
               float* gradients) {
  HWY_DYNAMIC_DISPATCH(cell_sums)(tables, cell, weights, gradients);
}
}  // namespace evenkeel::kernels
#endif
