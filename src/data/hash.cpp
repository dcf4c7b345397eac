// In: bytes. Out: their hash, eight bytes a multiplication (no defence against chosen collisions).
#include "data/hash.h"

#include <cstring>

#include "data/fold.h"

namespace evenkeel::data {
namespace {

std::uint64_t load(const char* from, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, count);
  return word;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes) {
  constexpr std::uint64_t kOdd1 = 0x9e3779b97f4a7c15ULL, kOdd2 = 0xd6e8feb86659fd93ULL;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t state = kOdd2 ^ (left * kOdd1);
  for (; left > 8; left -= 8, at += 8) state = fold(state ^ load(at, 8), kOdd1);
  std::uint64_t tail = 0;
  if (left >= 4) {
    tail = load(at, 4) | (load(at + left - 4, 4) << 32);
  } else if (left > 0) {
    tail = load(at, 1) | (load(at + left / 2, 1) << 8) | (load(at + left - 1, 1) << 16);
  }
  return fold(state ^ tail, kOdd2);
}

}  // namespace evenkeel::data
