// The options of reading and splitting, for every command that takes DATA.
#pragma once

#include <span>
#include <string>

#include "base/settings.h"

namespace evenkeel::data {

std::span<const Field> data_fields();
std::span<const Field> reading_fields();  // those that say how a file is read, not how it is cut
// How much each row of a log counts in training.
std::span<const Field> weight_fields();

// Which items a test ranks: `all`, or `test`, those that occur in it.
Field candidates_field();
Field validation_field();  // what load_for_training holds out where there is no validation part

}  // namespace evenkeel::data
