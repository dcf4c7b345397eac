// Which users of a part are ranked where ranking all of them would take too long. In: the users and
// what is allowed; out: a seeded, stratified sample, the same for every model of the same data.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/types.h"

namespace evenkeel::eval {

// How many users are ranked at most; none: by what they cost.
using UserLimit = std::optional<std::size_t>;
inline constexpr std::size_t kAllUsers = std::numeric_limits<std::size_t>::max();

// "auto", "all" or a number; `option` names it in the error.
UserLimit parse_user_limit(const std::string& text, std::string_view option);

Field evaluation_users_field();

// How many of `users` an evaluation ranks against `items`. By cost: all while they make at most
// 2^35 scores (half a minute of two cores at 64 dimensions), else as many as that allows, at least
// 10,000.
std::size_t evaluation_users(const UserLimit& limit, std::size_t users, std::size_t items);

// The largest standard error that a mean over so many users can have, each between 0 and 1.
double largest_standard_error(std::size_t users);

// `wanted` places of `users`, ascending: one drawn from each of as many equal stretches of the
// users in order of their training count, so that every kind of user is there in its share.
std::vector<std::size_t> stratified_sample(std::span<const Row> users,
                                           std::span<const std::uint32_t> popularity,
                                           std::size_t wanted, std::uint64_t seed);

}  // namespace evenkeel::eval
