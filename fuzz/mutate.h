// Damage. In: good inputs and a number; out: a broken one, the same for the same number.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace evenkeel::fuzz {

std::string mutated(std::span<const std::string> seeds, std::uint32_t number);

}  // namespace evenkeel::fuzz
