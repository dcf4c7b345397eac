// In: a cell. Out: similarities and gradients. An item's row is read from the L3 cache once a cell
// and then from L2; with samples in turn each of 129 random rows would come from L3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cells.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
#include "kernels/exp-inl.h"
#include "kernels/rows-inl.h"
// clang-format on

#include <algorithm>

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

// out[k] = dot * scale. Summed in one way for every entry: where a cell ends depends on the number
// of threads.
template <typename Stride>
HWY_INLINE void entry_dots(const CellTables& tables, const CellEntry* entries, std::size_t count,
                           const float* users, Stride stride, float* out) {
  const D d;
  const auto product = [&](std::size_t k) HWY_ATTR {
    return row_product(d, users + entries[k].sample * stride,
                       tables.items + entries[k].row * stride, stride);
  };
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    four_sums(d, product(k), product(k + 1), product(k + 2), product(k + 3), out + k);
  }
  for (; k < count; ++k) {
    const V v = product(k);
    float sums[4];
    four_sums(d, v, v, v, v, sums);
    out[k] = sums[0];
  }
  for (k = 0; k < count; ++k) out[k] *= scale_of(tables, entries[k]);
}

// gradient += weight * item's row
template <typename Stride>
HWY_INLINE void add_entry(const CellTables& tables, const CellEntry& entry, float weight,
                          Stride stride, float* gradients) {
  const D d;
  const V factor = hn::Set(d, weight * scale_of(tables, entry));
  const float* row = tables.items + entry.row * stride;
  float* gradient = gradients + entry.sample * stride;
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    hn::Store(hn::MulAdd(factor, hn::Load(d, row + c), hn::Load(d, gradient + c)), d, gradient + c);
  }
}

// Entries whose rows stay in L1 between their dots and their sums.
constexpr std::size_t kBlock = 16;

// Calls body(first, count) for the cell's blocks, the next bucket being fetched meanwhile.
template <typename Body>
HWY_INLINE void for_blocks(const CellTables& tables, std::size_t entries, Body body) {
  Fetcher fetcher(tables, entries);
  for (std::size_t first = 0; first < entries; first += kBlock) {
    const std::size_t count = std::min(kBlock, entries - first);
    for (std::size_t k = 0; k < count; ++k) fetcher.step();
    body(first, count);
  }
}

void cell_dots(const CellTables& tables, std::span<const CellEntry> cell, const float* users,
               float* out) {
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for_blocks(tables, cell.size(), [&](std::size_t first, std::size_t count) HWY_ATTR {
      entry_dots(tables, cell.data() + first, count, users, stride, out + first);
    });
  });
}

void cell_sums(const CellTables& tables, std::span<const CellEntry> cell, const float* weights,
               float* gradients) {
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for_blocks(tables, cell.size(), [&](std::size_t first, std::size_t count) HWY_ATTR {
      for (std::size_t k = first; k < first + count; ++k) {
        add_entry(tables, cell[k], weights[k], stride, gradients);
      }
    });
  });
}

void cell_exponentials(const CellTables& tables, std::span<const CellEntry> cell,
                       const float* users, float tau, float* out, float* totals, float* gradients) {
  const D d;
  const V one = hn::Set(d, 1.0F), scale = hn::Set(d, kLog2E / tau);
  with_stride(tables.stride, [&](auto stride) HWY_ATTR {
    for_blocks(tables, cell.size(), [&](std::size_t first, std::size_t count) HWY_ATTR {
      HWY_ALIGN float dots[kBlock] = {};
      HWY_ALIGN float powers[kBlock];
      const CellEntry* entries = cell.data() + first;
      entry_dots(tables, entries, count, users, stride, dots);
      for (std::size_t k = 0; k < kBlock; k += hn::Lanes(d)) {
        const V y = hn::Mul(hn::Sub(hn::Load(d, dots + k), one), scale);
        hn::Store(power_of_two(d, y), d, powers + k);
      }
      for (std::size_t k = 0; k < count; ++k) {
        if (entries[k].first) {
          out[first + k] = dots[k];
        } else {
          out[first + k] = powers[k];
          totals[entries[k].sample] += powers[k];
          add_entry(tables, entries[k], powers[k], stride, gradients);
        }
      }
    });
  });
}

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(cell_dots);
HWY_EXPORT(cell_sums);
HWY_EXPORT(cell_exponentials);
void cell_dots(const CellTables& tables, std::span<const CellEntry> cell, const float* users,
               float* out) {
  HWY_DYNAMIC_DISPATCH(cell_dots)(tables, cell, users, out);
}
void cell_sums(const CellTables& tables, std::span<const CellEntry> cell, const float* weights,
               float* gradients) {
  HWY_DYNAMIC_DISPATCH(cell_sums)(tables, cell, weights, gradients);
}
void cell_exponentials(const CellTables& tables, std::span<const CellEntry> cell,
                       const float* users, float tau, float* out, float* totals, float* gradients) {
  HWY_DYNAMIC_DISPATCH(cell_exponentials)(tables, cell, users, tau, out, totals, gradients);
}
}  // namespace evenkeel::kernels
#endif
