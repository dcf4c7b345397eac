// Elapsed time. In: a moment of the steady clock; out: the seconds since then.
#pragma once

#include <chrono>

namespace evenkeel {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace evenkeel
