// In: counts by popularity group. Out: relative deviations, divergences, self-information.
#include "eval/popularity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace evenkeel::eval {
namespace {

// p log2(p / m): nothing where p is 0, whatever m.
double relative_information(double p, double m) {
  return p > 0 ? p * std::log2(p / m) : 0.0;
}

}  // namespace

GroupCounts count_groups(std::span<const Row> items, std::span<const std::uint8_t> group) {
  GroupCounts counts{};
  for (const Row item : items) ++counts[group[item]];
  return counts;
}

void add(GroupCounts& sum, const GroupCounts& more) {
  for (std::size_t g = 0; g < sum.size(); ++g) sum[g] += more[g];
}

void add(GroupTally& sum, const GroupTally& more) {
  add(sum.listed, more.listed);
  add(sum.hits, more.hits);
  add(sum.candidates, more.candidates);
  add(sum.relevant, more.relevant);
}

PopularityShares shares_of(const GroupCounts& counts) {
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  PopularityShares shares{};
  if (total == 0) return shares;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    shares[g] = static_cast<double>(counts[g]) / static_cast<double>(total);
  }
  return shares;
}

double relative_deviation(const GroupCounts& counts, const GroupCounts& of) {
  double sum = 0, groups = 0;
  const auto rate = [&](std::size_t g) {
    return static_cast<double>(counts[g]) / static_cast<double>(of[g]);
  };
  for (std::size_t g = 0; g < of.size(); ++g) {
    if (of[g] == 0) continue;
    sum += rate(g);
    ++groups;
  }
  if (sum <= 0) return 0;
  const double mean = sum / groups;
  double squares = 0;
  for (std::size_t g = 0; g < of.size(); ++g) {
    if (of[g] > 0) squares += (rate(g) - mean) * (rate(g) - mean);
  }
  return std::sqrt(squares / groups) / mean;
}

double jensen_shannon_divergence(const PopularityShares& p, const PopularityShares& q) {
  double divergence = 0;
  for (std::size_t g = 0; g < p.size(); ++g) {
    const double middle = (p[g] + q[g]) / 2;
    divergence += (relative_information(p[g], middle) + relative_information(q[g], middle)) / 2;
  }
  return std::clamp(divergence, 0.0, 1.0);  // rounding may leave the range by a digit
}

double jensen_shannon_distance(const PopularityShares& p, const PopularityShares& q) {
  return std::sqrt(jensen_shannon_divergence(p, q));
}

double self_information(std::uint32_t popularity, std::size_t users) {
  return std::log2((static_cast<double>(users) + 1) / (static_cast<double>(popularity) + 1));
}

}  // namespace evenkeel::eval
