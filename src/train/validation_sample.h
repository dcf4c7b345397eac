// How many users a validation during training ranks. In: the validation part and what an epoch
// costs; out: all of its users, or as many as a sample needs.
#pragma once

#include <cstddef>

#include "data/dataset.h"
#include "train/options.h"

namespace evenkeel::train {

// A sample has at least this many: the standard error of a mean Recall is then at most 0.005.
inline constexpr std::size_t kLeastValidationUsers = 10'000;

// How many of `users` with validation items to rank: as the options say, else all while that costs
// less than a tenth of the training between two validations, else as many as cost a tenth.
std::size_t validation_users(const TrainOptions& options, const data::Dataset& data,
                             std::size_t users);

}  // namespace evenkeel::train
