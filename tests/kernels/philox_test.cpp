// Bulk random words equal the words of base/rng.h, one by one, on every instruction set.
#include "kernels/philox.h"

#include "base/rng.h"
#include "kernels/targets.h"

namespace evenkeel::testing {
namespace {

class PhiloxTest : public EveryTarget {};

TEST_P(PhiloxTest, EqualsTheCounterBasedWords) {
  const Random random(0x123456789abcdefULL, Purpose::kNegatives, 7);
  const auto key = random.key();
  for (const std::size_t count : {1, 5, 64, 128, 1000}) {
    std::vector<std::uint32_t> words((count + 63) / 64 * 64);
    kernels::philox_words({{key[0], key[1]}, 99, random.epoch(), random.purpose()}, count,
                          words.data());
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(words[k], random.words(99, static_cast<std::uint32_t>(k / 4))[k % 4]) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PhiloxTest, ::testing::ValuesIn(supported_targets()),
                         target_label);

}  // namespace
}  // namespace evenkeel::testing
