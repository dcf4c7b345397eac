// In: memory that was reserved and not used yet. Out: nothing; the system backs it with huge pages,
// where it has them: a large array then costs few page faults and few misses of the TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "base/matrix.h"

namespace evenkeel {

inline void prefer_huge_pages(void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (begin + bytes) / kHugePage * kHugePage;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace evenkeel
