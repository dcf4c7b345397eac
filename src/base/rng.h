// Counter-based randomness (Philox, Random123). In: a key (seed, purpose, epoch) and a position
// (row, index); out: the same bits on every machine and thread, with no state to keep or save.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace evenkeel {

// One stream for each use, so that a new use never shifts the numbers of an old one.
enum class Purpose : std::uint32_t {
  kUserTable = 1,
  kItemTable,
  kShuffle,
  kNegatives,
  kPositives,
  kSplit,
  kHoldout,
  kMarket,
  kExtractor,
  kPool,
  kBootstrap,
  kControl,
  kSearch,
  kAnalysis,
  kSimilar,
  kTemperature,
  kDial,
  kValidation,
  kThresholds,
};

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint32_t epoch = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        purpose_(static_cast<std::uint32_t>(purpose)),
        epoch_(epoch) {}

  // Four independent words for position (row, index).
  std::array<std::uint32_t, 4> words(std::uint32_t row, std::uint32_t index) const {
    const r123::Philox4x32::ctr_type counter{{row, index, epoch_, purpose_}};
    const r123::Philox4x32::ctr_type bits = r123::Philox4x32()(counter, key_);
    return {bits[0], bits[1], bits[2], bits[3]};
  }
  // What a bulk generator (kernels/philox.h) needs to give the same words.
  std::array<std::uint32_t, 2> key() const { return {key_[0], key_[1]}; }
  std::uint32_t epoch() const { return epoch_; }
  std::uint32_t purpose() const { return purpose_; }

  std::uint32_t word(std::uint32_t row, std::uint32_t index) const { return words(row, index)[0]; }
  std::uint64_t word64(std::uint32_t row, std::uint32_t index) const {
    const auto w = words(row, index);
    return (std::uint64_t{w[0]} << 32) | w[1];
  }
  // Uniform in [0, 1), 53 bits.
  double uniform(std::uint32_t row, std::uint32_t index) const {
    return static_cast<double>(word64(row, index) >> 11) * 0x1.0p-53;
  }
  // Two independent standard normals (Box-Muller).
  std::array<double, 2> normals(std::uint32_t row, std::uint32_t index) const {
    const auto w = words(row, index);
    const double a = (static_cast<double>(w[0]) + 0.5) * 0x1.0p-32;
    const double b = static_cast<double>(w[1]) * 0x1.0p-32;
    const double radius = std::sqrt(-2.0 * std::log(a));
    const double angle = 2.0 * std::numbers::pi * b;
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  r123::Philox4x32::key_type key_;
  std::uint32_t purpose_, epoch_;
};

// Uniform in [0, bound) from one word (Lemire); the bias is below bound / 2^32.
constexpr std::uint32_t bounded(std::uint32_t word, std::uint32_t bound) {
  return static_cast<std::uint32_t>((std::uint64_t{word} * bound) >> 32);
}

// A sequential view of one stream position, for loops that draw an unknown count.
class Draws {
 public:
  Draws(const Random& random, std::uint32_t row) : random_(random), row_(row) {}
  Draws(Random&&, std::uint32_t) = delete;  // it keeps a reference
  std::uint32_t word() {
    if (used_ == 4) {
      words_ = random_.words(row_, index_++);
      used_ = 0;
    }
    return words_[used_++];
  }
  std::uint32_t below(std::uint32_t bound) { return bounded(word(), bound); }
  double uniform() {
    const std::uint64_t high = word();
    return static_cast<double>(((high << 32) | word()) >> 11) * 0x1.0p-53;
  }

 private:
  const Random& random_;
  std::uint32_t row_;
  std::uint32_t index_ = 0;
  std::uint32_t used_ = 4;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace evenkeel
