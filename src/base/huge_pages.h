// In: memory that was reserved and not used yet. Out: nothing; the system backs it with huge pages,
// where it has them: a large array then costs few page faults and few misses of the TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "base/matrix.h"

namespace evenkeel {

inline void prefer_huge_pages(void* memory, std::size_t bytes) {
  // Up to the next whole page.
  const std::size_t skipped =
      (kHugePage - reinterpret_cast<std::uintptr_t>(memory) % kHugePage) % kHugePage;
  if (bytes < skipped + kHugePage) return;
  madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / kHugePage * kHugePage,
          MADV_HUGEPAGE);
}

}  // namespace evenkeel
