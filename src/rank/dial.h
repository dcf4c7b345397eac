// How much popularity to take out. In: vectors, a validation part and a goal; out: the figures of
// both goals over strengths of the correction, and the strength that the goal chooses. No test part
// takes part (docs/methods.md, section 8).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/threads.h"
#include "cluster/cluster.h"
#include "data/dataset.h"
#include "eval/divided_users.h"
#include "eval/goals.h"
#include "eval/ranker.h"

namespace evenkeel::rank {

inline constexpr std::size_t kDialK = 20;  // figures are Recall@20
// `both` takes as much popularity out as costs at most this share of the best logged figure.
inline constexpr double kGivenUp = 0.025;

struct DialPoint {
  double debias = 0;
  eval::GoalFigures valid;
};

struct Dial {
  double temperature = 0;
  std::vector<DialPoint> points;  // ascending strengths, the first is 0
  std::size_t chosen = 0;         // a place in `points`
  std::size_t users = 0;          // measured: all with validation items, or a sample of them
  // Of the chosen strength against 0, over users (bootstrap): what the goal gains, its standard
  // error, and the standard error of the balanced figure itself. Zeros when 0 was chosen.
  double gain = 0, gain_error = 0, balanced_error = 0;
  // The goal's best strength gains less than its standard error: 0 is kept instead.
  bool thin = false;

  const DialPoint& choice() const { return points[chosen]; }
  const DialPoint& logged() const { return points.front(); }
};

std::span<const double> dial_strengths();  // those that a goal chooses from
// Where the strength is given, this one is measured beside it, to show what there is to gain.
inline constexpr double kShownDebias = 0.4;

struct DialRequest {
  eval::VectorView vectors;   // as they rank without a correction
  const data::Dataset& data;  // its validation part measures
  double temperature = 0;     // of the scores
  eval::Goal goal = eval::Goal::kLogged;
  std::optional<double> given = {};  // a strength that is set: the figures are told all the same
  eval::DividedUsers divided = {};   // ranks that share the users that are ranked
};

// The place in `points` (ascending, 0 first) that the goal prefers; ties to the lower strength.
std::size_t preferred(std::span<const DialPoint> points, eval::Goal goal);
// For `both`: the strength behind the chosen one at which the logged figure is as low as it may be,
// on a straight line to the next point, cut to hundredths. None where no point lies behind it or
// that one is good enough.
std::optional<double> strength_at_limit(std::span<const DialPoint> points, std::size_t chosen);

Dial turn_dial(const DialRequest& request, Threads& threads);

}  // namespace evenkeel::rank
