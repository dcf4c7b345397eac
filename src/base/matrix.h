// A table of float rows. Rows start on a cache line and are padded with zeros to a multiple of 16
// floats, so that kernels need no tail loops; the padding stays zero under every update.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/types.h"

namespace evenkeel {

inline constexpr std::size_t kRowFloats = 16;  // padding unit: 64 bytes
inline constexpr std::size_t kAlignment = 64;
// Tables are read at random rows: with 4 KiB pages nearly every row is a miss of the TLB as well.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t padded(std::size_t dim) {
  return (dim + kRowFloats - 1) / kRowFloats * kRowFloats;
}

// Fetches the lines of a row that is needed soon. Always inlined: GCC takes a function of its own
// that only fetches for one without effect, and drops the call.
// kNear 3: into L1; 2: into L2, where a burst of rows was measured to hold up less.
template <int kNear = 3, typename T>
[[gnu::always_inline]] inline void prefetch_row(const T* row, std::size_t stride) {
  for (std::size_t c = 0; c < stride; c += kAlignment / sizeof(T)) {
    __builtin_prefetch(row + c, 0, kNear);
  }
}

// Fetches a line that will be written, so that no other core holds it by then. For x86-64 in
// general GCC turns a fetch for writing into one for reading.
template <typename T>
[[gnu::always_inline]] inline void prefetch_for_writing(T* value) {
#ifdef __x86_64__
  asm volatile("prefetchw %0" : : "m"(*value));
#else
  __builtin_prefetch(value, 1);
#endif
}

// A zeroed, cache-line aligned array that is sized once.
template <typename T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const bool large = size * sizeof(T) >= 2 * kHugePage;
    const std::size_t bytes = (size * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (posix_memalign(&memory, large ? kHugePage : kAlignment, bytes) != 0) throw std::bad_alloc();
    // Whole huge pages only: the last, partial one would cost up to 2 MiB of each table.
    if (large) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    std::memset(memory, 0, bytes);
    data_ = static_cast<T*>(memory);
  }
  AlignedArray(const AlignedArray& other) : AlignedArray(other.size_) {
    if (size_ > 0) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
  }
  AlignedArray(AlignedArray&& other) noexcept { swap(other); }
  AlignedArray& operator=(AlignedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~AlignedArray() { std::free(data_); }

  void swap(AlignedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t dim)
      : rows_(rows), dim_(dim), stride_(padded(dim)), values_(rows * stride_) {}

  std::size_t rows() const { return rows_; }
  std::size_t dim() const { return dim_; }
  std::size_t stride() const { return stride_; }
  float* row(std::size_t r) { return values_.data() + r * stride_; }
  const float* row(std::size_t r) const { return values_.data() + r * stride_; }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }  // with padding
  bool empty() const { return rows_ == 0; }
  std::span<float> values(std::size_t r) { return {row(r), dim_}; }
  std::span<const float> values(std::size_t r) const { return {row(r), dim_}; }
  Matrix first_rows(std::size_t count) const { return slice(0, count); }
  Matrix last_rows(std::size_t count) const { return slice(rows_ - count, count); }
  void fill_zero() { std::fill(values_.begin(), values_.end(), 0.0F); }

 private:
  Matrix slice(std::size_t first, std::size_t count) const {
    Matrix part(count, dim_);
    if (count > 0) std::copy_n(row(first), count * stride_, part.data());
    return part;
  }

  std::size_t rows_ = 0, dim_ = 0, stride_ = 0;
  AlignedArray<float> values_;
};

}  // namespace evenkeel
