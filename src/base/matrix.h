// A table of float rows. Rows start on a cache line and are padded with zeros to a multiple of 16
// floats, so that kernels need no tail loops; the padding stays zero under every update.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// Rows [begin, end) of a table.
struct RowRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

// A zeroed, cache-line aligned array that is sized once.
template <typename T>
class AlignedArray {
 public:
  // Memory for all of it, or only for the pages that are written: the rest reads as zeros.
  enum class Memory { kWhole, kWritten };

  AlignedArray() = default;
  explicit AlignedArray(std::size_t size, Memory memory_of = Memory::kWhole)
      : size_(size), memory_(memory_of) {
    if (size == 0) return;
    if (memory_ == Memory::kWritten) {
      map();
      return;
    }
    const bool large = size * sizeof(T) >= 2 * kHugePage;
    const std::size_t bytes = (size * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (posix_memalign(&memory, large ? kHugePage : kAlignment, bytes) != 0) throw std::bad_alloc();
    // Whole huge pages only: the last, partial one would cost up to 2 MiB of each table.
    if (large) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    std::memset(memory, 0, bytes);
    data_ = static_cast<T*>(memory);
  }
  AlignedArray(const AlignedArray& other) : AlignedArray(other.size_, other.memory_) {
    if (size_ > 0) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
  }
  AlignedArray(AlignedArray&& other) noexcept { swap(other); }
  AlignedArray& operator=(AlignedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~AlignedArray() {
    if (memory_ == Memory::kWhole) {
      std::free(data_);
    } else if (data_ != nullptr) {
      munmap(data_, size_ * sizeof(T));
    }
  }

  void swap(AlignedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
  }
  // Gives back the pages that lie in [begin, end) whole; they read as zeros again.
  void release(std::size_t begin, std::size_t end) {
    const std::size_t page = kHugePage / sizeof(T);
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (memory_ == Memory::kWritten && begin < end) {
      madvise(data_ + begin, (end - begin) * sizeof(T), MADV_DONTNEED);
    }
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
  // Address space that no memory is set aside for: it may be larger than the machine.
  void map() {
    const std::size_t bytes = size_ * sizeof(T), room = bytes + kHugePage;
    void* memory = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* first = static_cast<char*>(memory);
    const std::size_t before =
        (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
    constexpr std::size_t kPage = 4096;
    const std::size_t used = (before + bytes + kPage - 1) / kPage * kPage;
    if (before > 0) munmap(first, before);
    if (used < room) munmap(first + used, room - used);
    if (bytes >= 2 * kHugePage)
      madvise(first + before, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    data_ = reinterpret_cast<T*>(first + before);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  Memory memory_ = Memory::kWhole;
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t dim)
      : rows_(rows), dim_(dim), stride_(padded(dim)), held_{0, rows}, values_(rows * stride_) {}
  // A part of a table that several processes hold between them: rows have the numbers that they
  // have in the whole, and only those of `held` take memory. The others read as zeros.
  Matrix(std::size_t rows, std::size_t dim, RowRange held)
      : rows_(rows),
        dim_(dim),
        stride_(padded(dim)),
        held_(held),
        values_(rows * stride_, holds_all() ? Values::Memory::kWhole : Values::Memory::kWritten) {}
  Matrix(const Matrix& other) : Matrix(other.rows_, other.dim_, other.held_) {
    if (held_.size() == 0) return;
    std::memcpy(row(held_.begin), other.row(held_.begin), held_.size() * stride_ * sizeof(float));
  }
  Matrix(Matrix&& other) noexcept { swap(other); }
  Matrix& operator=(Matrix other) noexcept {
    swap(other);
    return *this;
  }
  ~Matrix() = default;
  void swap(Matrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(dim_, other.dim_);
    std::swap(stride_, other.stride_);
    std::swap(held_, other.held_);
    values_.swap(other.values_);
  }

  std::size_t rows() const { return rows_; }
  std::size_t dim() const { return dim_; }
  std::size_t stride() const { return stride_; }
  const RowRange& held() const { return held_; }
  bool holds_all() const { return held_ == RowRange{0, rows_}; }
  // Of a part: gives back what was written to rows that are not held.
  void release_others() {
    values_.release(0, held_.begin * stride_);
    values_.release(held_.end * stride_, values_.size());
  }
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

  using Values = AlignedArray<float>;
  std::size_t rows_ = 0, dim_ = 0, stride_ = 0;
  RowRange held_;
  Values values_;
};

}  // namespace evenkeel
