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

// Has the system bring the pages in now, on this thread, instead of one by one when they are first
// written. Whoever has an old system (before Linux 5.14) pays later.
inline void bring_in_pages(void* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kPage = 4096;
  const std::size_t skipped = (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
  if (bytes < skipped + kPage) return;
  madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / kPage * kPage,
          MADV_POPULATE_WRITE);
#endif
}

}  // namespace evenkeel
