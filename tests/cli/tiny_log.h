// A small interaction log for tests of the program. In: sizes; out: CSV text, always the same.
#pragma once

#include <string>

#include "base/rng.h"

namespace evenkeel::testing {

// User u likes items of its own third most; item ids are words with odd characters in some.
inline std::string tiny_log(std::uint32_t users, std::uint32_t items, std::uint32_t each) {
  const Random random(11, Purpose::kMarket);
  std::string text = "user,item\n";
  for (std::uint32_t user = 0; user < users; ++user) {
    Draws draws(random, user);
    for (std::uint32_t n = 0; n < each; ++n) {
      const std::uint32_t third = draws.below(4) == 0 ? draws.below(3) : user % 3;
      const std::uint32_t item = draws.below(1 + draws.below(items / 3)) * 3 + third;
      text += "u" + std::to_string(user) + ",i" + std::to_string(item) + "\n";
    }
  }
  return text;
}

}  // namespace evenkeel::testing
