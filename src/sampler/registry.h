// The table of sample orders. In: a name; out: the positives of each epoch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "cluster/cluster.h"
#include "sampler/positives.h"

namespace evenkeel::sampler {

struct SamplerEntry {
  std::string_view name, description;
  std::unique_ptr<Positives> (*make)(const data::Csr& items_of, std::size_t items,
                                     std::uint64_t seed);
  // How often an epoch takes a pair of weight 1 of a user whose pairs weigh `total`, up to a
  // factor. Without weights each pair weighs 1.
  double (*weight)(double total);
  // The same order where ranks hold the users between them (of pairs without weights); null: every
  // rank lists all samples.
  std::unique_ptr<Positives> (*make_divided)(const data::Csr& items_of, std::size_t items,
                                             std::uint64_t seed,
                                             std::span<const std::size_t> users_of_rank,
                                             cluster::Cluster& ranks) = nullptr;
};

std::span<const SamplerEntry> samplers();
const SamplerEntry& find_sampler(std::string_view name);

}  // namespace evenkeel::sampler
