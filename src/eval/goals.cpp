// In: a name, a part, two figures. Out: a goal, weights of items, one figure.
#include "eval/goals.h"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<double> balanced_weights(const data::Dataset& dataset, const data::Part& part) {
  std::vector<double> weights(dataset.item_count());
  for (std::size_t item = 0; item < weights.size(); ++item) {
    weights[item] = 1.0 / std::max<std::uint32_t>(dataset.item_popularity[item], 1);
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
