// In: rates of steps. Out: weighted moments of the corrections over the steps a row has missed.
#include "optim/skipped_steps.h"

#include <algorithm>
#include <cmath>

namespace evenkeel::optim {

void SkippedSteps::tabulate_powers(const kernels::AdamRates& rates) {
  if (!decay1_.empty()) return;
  for (std::uint32_t j = 0; j <= kWindow; ++j) {
    decay1_.push_back(std::pow(double{rates.beta1}, j));
    decay2_.push_back(std::pow(double{rates.beta2}, 0.5 * j));
  }
}

void SkippedSteps::add(const kernels::AdamStep& step, double start, std::uint32_t missed,
                       Sums& sums) const {
  const double w = double{step.rate} * decay1_[missed];
  const double y = double{step.correction} * decay2_[missed] / start - 1.0;
  sums.weight += w;
  sums.first += w * y;
  sums.second += w * y * y;
  sums.inverse += w / (1.0 + y);
}

void SkippedSteps::extend(const kernels::AdamRates& rates,
                          const std::vector<kernels::AdamStep>& steps, std::uint32_t until) {
  tabulate_powers(rates);
  while (until_ < until) {
    ++until_;
    const std::uint32_t oldest = until_ > kWindow ? until_ - kWindow : 1;
    for (std::uint32_t last = oldest; last < until_; ++last) {
      Sums& sums = open_[last % kWindow];
      const double start = double{steps[last].correction};
      add(steps[until_], start, until_ - last, sums);
      const double mean = sums.first / sums.weight, middle = start * (1 + mean);
      const double second = sums.second / sums.weight - mean * mean;
      const double far = second / ((1 + mean) * (1 + mean));
      const double third = 1 + far - (1 + mean) * sums.inverse / sums.weight;
      at_[last] = {static_cast<float>(sums.weight), static_cast<float>(middle),
                   static_cast<float>(start * start * second),
                   static_cast<float>(middle * middle * middle * third)};
    }
    at_.resize(until_ + 1);
    open_[until_ % kWindow] = {};
  }
}

kernels::AdamSkip SkippedSteps::from(const kernels::AdamRates& rates, std::uint32_t last) const {
  const std::uint32_t missed = until_ - last;
  const Moments& moments = at_[last];
  kernels::AdamSkip fade{moments.weight, moments.mean, moments.second, moments.third};
  if (missed <= kWindow) {
    fade.keep1 = static_cast<float>(decay1_[missed]);
    fade.keep2 = static_cast<float>(decay2_[missed] * decay2_[missed]);
  } else {
    fade.keep1 = static_cast<float>(std::pow(double{rates.beta1}, missed));
    fade.keep2 = static_cast<float>(std::pow(double{rates.beta2}, missed));
  }
  return fade;
}

}  // namespace evenkeel::optim
