// In: bytes. Out: a 64-bit hash, the same on every run: for id tables and to know a file again.
#pragma once

#include <cstdint>
#include <string_view>

namespace evenkeel::data {

std::uint64_t hash_bytes(std::string_view bytes);

}  // namespace evenkeel::data
