// When the learning rate fell. In: the events of a training; out: the epochs after which it did.
#pragma once

#include <string>
#include <vector>

namespace evenkeel::train {

// Validations without gain after which the rate falls: half of --patience. So a training that no
// slower rate can help ends as early as one with a constant rate.
constexpr int validations_before_slowing(int patience) {
  return (patience + 1) / 2;
}

std::vector<int> slowed_epochs(const std::vector<std::string>& events);

}  // namespace evenkeel::train
