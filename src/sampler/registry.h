// The table of sample orders. In: a name; out: the positives of each epoch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sampler/positives.h"

namespace evenkeel::sampler {

struct SamplerEntry {
  std::string_view name, description;
  std::unique_ptr<Positives> (*make)(const data::Csr& items_of, std::size_t items,
                                     std::uint64_t seed);
  // How often an epoch takes each pair of a user who owns so many, up to a factor.
  double (*weight)(std::size_t owned);
};

std::span<const SamplerEntry> samplers();
const SamplerEntry& find_sampler(std::string_view name);

}  // namespace evenkeel::sampler
