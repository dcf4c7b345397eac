// Plain statistics of lists. In: numbers; out: how they move together, how they spread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace evenkeel::analysis {

// Pearson's r; nothing when there are fewer than two points or one list does not vary.
std::optional<double> pearson(std::span<const double> a, std::span<const double> b);

struct Moments {  // of numbers that come one at a time (Welford: no cancellation)
  std::size_t count = 0;
  double mean = 0;
  double squares = 0;  // sum of squared distances to the mean

  void add(double value);
  double population_sd() const;             // spread of these numbers themselves
  std::optional<double> sample_sd() const;  // estimate for what they are drawn from; from two on
};

}  // namespace evenkeel::analysis
