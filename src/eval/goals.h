// What a choice goes by. In: a validation part and the popularity of items; out: the figure of a
// goal, measured on that part alone (docs/methods.md, section 8).
#pragma once

#include <cstdint>
#include <span>
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

// How the pairs of a part go with training popularity: item counts proportional to (p_i + 1)^a are
// the likeliest. 1: as the log, 0: items alike; `error` is the standard error of a.
struct PopularityExponent {
  double value = 1, error = 0;
  // Surely nearer to a balanced part than to the log.
  bool even() const { return value + 3 * error < 0.5; }
};
PopularityExponent popularity_exponent(std::span<const std::uint32_t> popularity,
                                       const data::Part& part);

// Whether a part shows items alike, or nearly so: its a, two standard errors added, lies below half
// of the log's own (1 to 1.2). Parts drawn as the log have 0.9 to 1 of the log's a, later ones 0.7
// to 0.8, ratings of random items 0.3 to 0.4, balanced parts -0.15 to 0.
bool shows_items_alike(const data::Dataset& data, const data::Part& part);

// w_i = 1 / max(p_i, 1) for every item, but at most its quantile kClipQuantile over the pairs of
// `part`: a few pairs with rare items would decide alone otherwise. A validation part that is given
// and even has been balanced already: there w_i = max(p_i, 1)^-a.
inline constexpr double kClipQuantile = 0.9;
std::vector<double> balanced_weights(const data::Dataset& dataset, const data::Part& part);

}  // namespace evenkeel::eval
