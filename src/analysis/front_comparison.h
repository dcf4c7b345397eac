// Fronts of several methods side by side. In: the fronts of a method's seeds, and models to measure
// again; out: means over seeds, the methods at one common Recall as logged, and p-values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/correlation.h"
#include "analysis/front.h"

namespace evenkeel::analysis {

// A method at the common level of Recall as logged: every seed comes down to it by a strength of
// its own; means over the seeds.
struct AtLevel {
  double strength = 0, logged = 0, balanced = 0;
  eval::Evaluation users;  // balanced Recall of every user, over the paired seeds
};

struct MethodFront {
  FrontCurve curve;
  std::vector<Front> seeds;
  std::vector<FrontPoint> points;  // means over the seeds
  Moments area;                    // over the seeds
  std::vector<bool> paired;        // by seed: whether its users are compared with other methods'
  AtLevel at_level;
  double p_value = 1;  // of the balanced Recall at the level against the first method's, by Holm
};

// `seeds` are fronts along the same curve, at least one.
MethodFront mean_front(const FrontCurve& curve, std::vector<Front> seeds);

// Users are compared over those seeds alone whose test every method was tested on.
struct SeedPairs {
  std::vector<std::vector<bool>> paired;  // by method and seed
  // Where there is no such test: two methods; the first seed of the second has a test that the
  // first was never tested on.
  std::optional<std::pair<std::size_t, std::size_t>> apart;
};
// `tests` has what tells tests apart, by method and seed.
SeedPairs pair_seeds(std::span<const std::vector<std::uint64_t>> tests);

// Where the least of the methods still has this share of its best Recall as logged.
inline constexpr double kLevelShare = 0.95;
double common_level(std::span<const MethodFront> methods);

// Adds the share of one seed, whose model is given, to method.at_level, in order of the seeds.
// Rows differ from run to run: those of `users` stand for all.
void add_at_level(MethodFront& method, std::size_t seed, const model::Model& model,
                  const FrontAxes& axes, double level, const data::Ids& users, Threads& threads);

// Every method against the first, paired over users: as many comparisons, corrected by Holm.
void set_p_values(std::span<MethodFront> methods);

}  // namespace evenkeel::analysis
