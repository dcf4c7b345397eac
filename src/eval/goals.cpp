// In: a name, a part, two figures. Out: a goal, weights of items, one figure.
#include "eval/goals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/settings.h"

namespace evenkeel::eval {
namespace {

constexpr std::array<std::string_view, 3> kNames{"logged", "balanced", "both"};

}  // namespace

Goal parse_goal(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) throw Error(ErrorKind::kConfig, unknown_name("goal", text, kNames));
  return static_cast<Goal>(found - kNames.begin());
}

std::string_view goal_name(Goal goal) {
  return kNames[static_cast<std::size_t>(goal)];
}

std::vector<std::string_view> goal_names() {
  return {kNames.begin(), kNames.end()};
}

double GoalFigures::both() const {
  return std::sqrt(logged * balanced);
}

double GoalFigures::of(Goal goal) const {
  switch (goal) {
    case Goal::kLogged:
      return logged;
    case Goal::kBalanced:
      return balanced;
    case Goal::kBoth:
      return both();
  }
  return logged;
}

namespace {

PopularityExponent exponent_of(std::span<const std::uint32_t> popularity,
                               std::span<const Row> items_of_pairs) {
  std::map<std::uint32_t, double> items;  // by popularity: few distinct values
  for (const std::uint32_t count : popularity) ++items[count];
  if (items.size() < 2 || items_of_pairs.empty()) return {};
  double observed = 0;
  for (const Row item : items_of_pairs) observed += std::log1p(popularity[item]);
  const auto pairs = static_cast<double>(items_of_pairs.size());
  observed /= pairs;
  // Mean and variance of log(p + 1) under the exponent a: the likelihood's slope falls with a.
  const double top = std::log1p(items.rbegin()->first);
  const auto moments = [&](double a) {
    double total = 0, mean = 0, square = 0;
    for (const auto& [count, number] : items) {
      const double x = std::log1p(count), weight = number * std::exp(a * (x - top));
      total += weight;
      mean += weight * x;
      square += weight * x * x;
    }
    mean /= total;
    return std::pair(mean, square / total - mean * mean);
  };
  double low = -2, high = 4;
  for (int halving = 0; halving < 50; ++halving) {
    const double middle = (low + high) / 2;
    (moments(middle).first < observed ? low : high) = middle;
  }
  const double variance = moments(low).second;
  return {low, variance > 0 ? 1 / std::sqrt(pairs * variance) : 1e9};
}

}  // namespace

PopularityExponent popularity_exponent(std::span<const std::uint32_t> popularity,
                                       const data::Part& part) {
  return exponent_of(popularity, part.items_of.columns);
}

bool shows_items_alike(const data::Dataset& data, const data::Part& part) {
  const PopularityExponent log = exponent_of(data.item_popularity, data.items_of.columns);
  const PopularityExponent own = popularity_exponent(data.item_popularity, part);
  return own.value + 2 * own.error < log.value / 2;
}

std::vector<double> balanced_weights(const data::Dataset& dataset, const data::Part& part) {
  double exponent = 1;
  if (&part == &dataset.valid) {
    const PopularityExponent own = popularity_exponent(dataset.item_popularity, part);
    if (own.even()) exponent = std::max(own.value, 0.0);
  }
  std::vector<double> weights(dataset.item_count());
  for (std::size_t item = 0; item < weights.size(); ++item) {
    const double count = std::max<std::uint32_t>(dataset.item_popularity[item], 1);
    weights[item] = exponent == 1 ? 1.0 / count : std::pow(count, -exponent);
  }
  std::vector<double> of_pairs;
  of_pairs.reserve(part.interactions());
  for (const Row item : part.items_of.columns) of_pairs.push_back(weights[item]);
  if (of_pairs.empty()) return weights;
  const auto place =
      static_cast<std::ptrdiff_t>(kClipQuantile * static_cast<double>(of_pairs.size() - 1));
  std::nth_element(of_pairs.begin(), of_pairs.begin() + place, of_pairs.end());
  const double most = of_pairs[static_cast<std::size_t>(place)];
  for (double& weight : weights) weight = std::min(weight, most);
  return weights;
}

}  // namespace evenkeel::eval
