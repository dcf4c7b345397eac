// In: numbers. Out: moments and Pearson's r, in one pass and in a fixed order.
#include "analysis/correlation.h"

#include <cmath>

#include "base/error.h"

namespace evenkeel::analysis {

std::optional<double> pearson(std::span<const double> a, std::span<const double> b) {
  EVENKEEL_CHECK(a.size() == b.size());
  Moments first, second;
  for (const double value : a) first.add(value);
  for (const double value : b) second.add(value);
  double together = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    together += (a[n] - first.mean) * (b[n] - second.mean);
  }
  const double scale = std::sqrt(first.squares) * std::sqrt(second.squares);
  const double r = together / scale;
  if (a.size() < 2 || scale <= 0 || !std::isfinite(r)) return std::nullopt;
  return r;
}

void Moments::add(double value) {
  ++count;
  const double before = value - mean;
  mean += before / static_cast<double>(count);
  squares += before * (value - mean);
}

double Moments::population_sd() const {
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0;
}

std::optional<double> Moments::sample_sd() const {
  if (count < 2) return std::nullopt;
  return std::sqrt(squares / static_cast<double>(count - 1));
}

}  // namespace evenkeel::analysis
