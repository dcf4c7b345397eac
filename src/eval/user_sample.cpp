// In: users by row. Out: places among them.
#include "eval/user_sample.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"

namespace evenkeel::eval {
namespace {

constexpr std::size_t kMostScores = std::size_t{1} << 35, kLeastUsers = 10'000;

}  // namespace

UserLimit parse_user_limit(const std::string& text, std::string_view option) {
  if (text == "auto") return std::nullopt;
  if (text == "all") return kAllUsers;
  std::size_t users = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), users);
  if (failure != std::errc() || end != text.data() + text.size() || users == 0) {
    fail_config("--{} is '{}'; give a whole number from 1, all or auto", option, text);
  }
  return users;
}

Field evaluation_users_field() {
  return {"evaluation-users",
          std::string("auto"),
          "users of a part that the figures of the result rank: a number, all, or auto (all, but a "
          "sample of at least 10000 where users x items is above 34 billion)",
          0,
          0,
          {},
          std::string("all")};
}

std::size_t evaluation_users(const UserLimit& limit, std::size_t users, std::size_t items) {
  if (limit) return std::min(users, *limit);
  const std::size_t affordable = kMostScores / std::max<std::size_t>(items, 1);
  return std::min(users, std::max(kLeastUsers, affordable));
}

double largest_standard_error(std::size_t users) {
  return 0.5 / std::sqrt(static_cast<double>(std::max<std::size_t>(users, 1)));
}

std::vector<std::size_t> stratified_sample(std::span<const Row> users,
                                           std::span<const std::uint32_t> popularity,
                                           std::size_t wanted, std::uint64_t seed) {
  EVENKEEL_CHECK(wanted <= users.size());
  std::vector<std::size_t> order(users.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return popularity[users[a]] < popularity[users[b]];
  });
  const Random random(seed, Purpose::kValidation);
  std::vector<std::size_t> kept;
  kept.reserve(wanted);
  for (std::size_t n = 0; n < wanted; ++n) {
    const std::size_t begin = n * users.size() / wanted, end = (n + 1) * users.size() / wanted;
    const auto offset = static_cast<std::size_t>(random.uniform(static_cast<std::uint32_t>(n), 0) *
                                                 static_cast<double>(end - begin));
    kept.push_back(order[begin + offset]);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace evenkeel::eval
