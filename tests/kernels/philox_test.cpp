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

TEST_P(PhiloxTest, BoundedItemsListsWhatIsTaken) {
  constexpr std::uint32_t kItems = 1000;
  const Random random(3, Purpose::kNegatives);
  std::vector<std::uint32_t> owned((kItems + 31) / 32, 0), words(128), items(128), taken(128);
  for (std::uint32_t item = 0; item < kItems; item += 7) owned[item / 32] |= 1U << (item % 32);
  for (std::uint32_t k = 0; k < 128; ++k) words[k] = random.word(k, 0);
  for (const std::size_t count : {std::size_t{1}, std::size_t{13}, std::size_t{128}}) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < count; ++k) {
      if (bounded(words[k], kItems) % 7 == 0) expected.push_back(k);
    }
    const std::size_t found = kernels::bounded_items(words.data(), count, kItems, owned.data(),
                                                     items.data(), taken.data());
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(items[k], bounded(words[k], kItems));
    EXPECT_EQ(std::vector<std::uint32_t>(taken.begin(), taken.begin() + std::ptrdiff_t(found)),
              expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PhiloxTest, ::testing::ValuesIn(supported_targets()),
                         target_label);

}  // namespace
}  // namespace evenkeel::testing
