// Products of vectors that stand anywhere in memory. In: two runs of floats; out: their dot
// product.
#pragma once

#include <cstddef>

namespace evenkeel::kernels {

// `count` is a multiple of 16 (base/matrix.h pads rows to it); neither side need be aligned.
float dot_anywhere(const float* a, const float* b, std::size_t count);

}  // namespace evenkeel::kernels
