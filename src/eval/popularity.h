// What lists do with popularity groups. In: counts of items by head, mid and tail; out: how
// unevenly the groups are recommended, and how far a list is from what its user consumes
// (docs/metrics.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace evenkeel::eval {

using GroupCounts = std::array<std::uint64_t, 3>;  // head, mid, tail
using PopularityShares = std::array<double, 3>;    // the same, summing to 1, or all zero

GroupCounts count_groups(std::span<const Row> items, std::span<const std::uint8_t> group);
void add(GroupCounts& sum, const GroupCounts& more);
PopularityShares shares_of(const GroupCounts& counts);

// Sums of whole numbers over users: the order in which workers add them does not matter.
struct GroupTally {
  GroupCounts listed{};      // places of the lists
  GroupCounts hits{};        // of these, relevant ones
  GroupCounts candidates{};  // what could have been listed
  GroupCounts relevant{};
};
void add(GroupTally& sum, const GroupTally& more);

// Standard deviation / mean of counts[g] / of[g] over the groups with of[g] > 0 (deviation of a
// population); 0 when all rates are 0.
double relative_deviation(const GroupCounts& counts, const GroupCounts& of);

// Base 2, so 0 (the same) to 1 (nothing in common).
double jensen_shannon_divergence(const PopularityShares& p, const PopularityShares& q);
double jensen_shannon_distance(const PopularityShares& p, const PopularityShares& q);  // its root

// -log2((p_i + 1) / (users + 1)): finite for an item that nobody has, 0 for one that all have.
double self_information(std::uint32_t popularity, std::size_t users);

}  // namespace evenkeel::eval
