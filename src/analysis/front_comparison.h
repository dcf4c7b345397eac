// Fronts of several methods side by side. In: the fronts of a method's seeds, and models to measure
// again; out: means over seeds, the methods at one common Recall as logged, and p-values.
#pragma once

#include <span>
#include <vector>

#include "analysis/correlation.h"
#include "analysis/front.h"

namespace evenkeel::analysis {

// A method at the common level of Recall as logged: every seed comes down to it by a strength of
// its own; means over the seeds.
struct AtLevel {
  double strength = 0, logged = 0, balanced = 0;
  eval::Evaluation users;  // balanced Recall of every user
};

struct MethodFront {
  FrontCurve curve;
  std::vector<Front> seeds;
  std::vector<FrontPoint> points;  // means over the seeds
  Moments area;                    // over the seeds
  AtLevel at_level;
  double p_value = 1;  // of the balanced Recall at the level against the first method's, by Holm
};

// `seeds` are fronts along the same curve, at least one.
MethodFront mean_front(const FrontCurve& curve, std::vector<Front> seeds);

// Where the least of the methods still has this share of its best Recall as logged.
inline constexpr double kLevelShare = 0.95;
double common_level(std::span<const MethodFront> methods);

// Adds the share of one seed, whose model is given, to method.at_level.
void add_at_level(MethodFront& method, std::size_t seed, const model::Model& model,
                  const FrontAxes& axes, double level, Threads& threads);

// Every method against the first, paired over users: as many comparisons, corrected by Holm.
void set_p_values(std::span<MethodFront> methods);

}  // namespace evenkeel::analysis
