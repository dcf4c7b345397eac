// Which users a validation during training ranks. In: the validation part and what an epoch costs;
// out: all of its users, or a seeded sample that is the same in every epoch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "train/options.h"

namespace evenkeel::train {

// A sample has at least this many: the standard error of a mean Recall is then at most 0.005.
inline constexpr std::size_t kLeastValidationUsers = 10'000;

// How many of `users` with validation items to rank: as the options say, else all while that costs
// less than a tenth of the training between two validations, else as many as cost a tenth.
std::size_t validation_users(const TrainOptions& options, const data::Dataset& data,
                             std::size_t users);

// `wanted` places of `users`, ascending: one drawn from each of as many equal stretches of the
// users in order of their training count, so that every kind of user is there in its share.
std::vector<std::size_t> stratified_sample(std::span<const Row> users,
                                           std::span<const std::uint32_t> popularity,
                                           std::size_t wanted, std::uint64_t seed);

}  // namespace evenkeel::train
