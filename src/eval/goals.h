// What a choice goes by. In: a validation part and the popularity of items; out: the figure of a
// goal, measured on that part alone (docs/methods.md, section 8).
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.h"

namespace evenkeel::eval {

// kLogged: people go on as the log did. kBalanced: items are wanted alike, whatever their
// popularity. kBoth: neither at the other's expense.
enum class Goal { kLogged, kBalanced, kBoth };

Goal parse_goal(std::string_view text);
std::string_view goal_name(Goal goal);
std::vector<std::string_view> goal_names();

// Recall@K of a validation part under each goal.
struct GoalFigures {
  double logged = 0;    // mean over users
  double balanced = 0;  // sum of w over hits / sum of w over pairs, w as below
  double both() const;  // geometric mean of the two
  double of(Goal goal) const;
};

// w_i = 1 / max(p_i, 1) for every item, but at most its quantile kClipQuantile over the pairs of
// `part`: a few pairs with rare items would decide alone otherwise.
inline constexpr double kClipQuantile = 0.9;
std::vector<double> balanced_weights(const data::Dataset& dataset, const data::Part& part);

}  // namespace evenkeel::eval
