// In: a stream. Out: its first words. Philox 4x32 with 10 rounds (Salmon et al., 2011): a 32 x 32
// product gives high and low halves, the high ones are mixed with key and neighbour, and the key
// grows by a Weyl constant each round.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/philox.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// clang-format on

#include "kernels/philox.h"

HWY_BEFORE_NAMESPACE();
namespace evenkeel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t kMultiply0 = 0xD2511F53, kMultiply1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

#if HWY_TARGET == HWY_SCALAR

void philox_words(const PhiloxStream& stream, std::size_t count, std::uint32_t* words) {
  for (std::size_t i = 0; 4 * i < count; ++i) {
    std::uint32_t c[4] = {stream.row, static_cast<std::uint32_t>(i), stream.epoch, stream.purpose};
    std::uint32_t key0 = stream.key[0], key1 = stream.key[1];
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{kMultiply0} * c[0];
      const std::uint64_t p1 = std::uint64_t{kMultiply1} * c[2];
      const std::uint32_t next[4] = {
          static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(p1),
          static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(p0)};
      for (int j = 0; j < 4; ++j) c[j] = next[j];
      key0 += kWeyl0;
      key1 += kWeyl1;
    }
    for (std::size_t j = 0; j < 4; ++j) words[4 * i + j] = c[j];
  }
}

std::size_t bounded_items(const std::uint32_t* words, std::size_t count, std::uint32_t bound,
                          const std::uint32_t* owned, std::uint32_t* items, std::uint32_t* taken) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    items[k] = static_cast<std::uint32_t>((std::uint64_t{words[k]} * bound) >> 32);
    taken[found] = static_cast<std::uint32_t>(k);
    found += (owned[items[k] / 32] >> (items[k] % 32)) & 1U;
  }
  return found;
}

#else

using D = hn::CappedTag<std::uint32_t, 16>;
using V = hn::Vec<D>;

// High and low halves of the lane-wise 64-bit products.
HWY_INLINE void multiply(D d, V a, V factor, V& high, V& low) {
  const V even = hn::BitCast(d, hn::MulEven(a, factor));  // [low high] of lanes 0, 2, ...
  const V odd = hn::BitCast(d, hn::MulEven(hn::DupOdd(a), factor));
  high = hn::OddEven(odd, hn::DupOdd(even));
  low = hn::OddEven(hn::DupEven(odd), even);
}

void philox_words(const PhiloxStream& stream, std::size_t count, std::uint32_t* words) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V factor0 = hn::Set(d, kMultiply0), factor1 = hn::Set(d, kMultiply1);
  for (std::size_t i = 0; 4 * i < count; i += lanes) {
    V c0 = hn::Set(d, stream.row), c1 = hn::Iota(d, static_cast<std::uint32_t>(i));
    V c2 = hn::Set(d, stream.epoch), c3 = hn::Set(d, stream.purpose);
    std::uint32_t key0 = stream.key[0], key1 = stream.key[1];
    for (int round = 0; round < 10; ++round) {
      V high0, low0, high1, low1;
      multiply(d, c0, factor0, high0, low0);
      multiply(d, c2, factor1, high1, low1);
      c0 = hn::Xor(hn::Xor(high1, c1), hn::Set(d, key0));
      c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(d, key1));
      c1 = low1;
      c3 = low0;
      key0 += kWeyl0;
      key1 += kWeyl1;
    }
    hn::StoreInterleaved4(c0, c1, c2, c3, d, words + 4 * i);
  }
}

std::size_t bounded_items(const std::uint32_t* words, std::size_t count, std::uint32_t bound,
                          const std::uint32_t* owned, std::uint32_t* items, std::uint32_t* taken) {
  const D d;
  const hn::RebindToSigned<D> indices;
  const V factor = hn::Set(d, bound), low_bits = hn::Set(d, 31), one = hn::Set(d, 1);
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    V item, fraction;
    multiply(d, hn::LoadU(d, words + k), factor, item, fraction);
    hn::StoreU(item, d, items + k);
    const V bits = hn::GatherIndex(d, owned, hn::BitCast(indices, hn::ShiftRight<5>(item)));
    const V hit = hn::And(hn::Shr(bits, hn::And(item, low_bits)), one);
    if (hn::AllTrue(d, hn::Eq(hit, hn::Zero(d)))) continue;  // nearly always
    HWY_ALIGN std::uint32_t hits[16];
    hn::Store(hit, d, hits);
    for (std::size_t i = 0; i < hn::Lanes(d) && k + i < count; ++i) {
      if (hits[i] != 0) taken[found++] = static_cast<std::uint32_t>(k + i);
    }
  }
  return found;
}

#endif

}  // namespace evenkeel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evenkeel::kernels {
HWY_EXPORT(philox_words);
HWY_EXPORT(bounded_items);
void philox_words(const PhiloxStream& stream, std::size_t count, std::uint32_t* words) {
  HWY_DYNAMIC_DISPATCH(philox_words)(stream, count, words);
}
std::size_t bounded_items(const std::uint32_t* words, std::size_t count, std::uint32_t bound,
                          const std::uint32_t* owned, std::uint32_t* items, std::uint32_t* taken) {
  return HWY_DYNAMIC_DISPATCH(bounded_items)(words, count, bound, owned, items, taken);
}
}  // namespace evenkeel::kernels
#endif
