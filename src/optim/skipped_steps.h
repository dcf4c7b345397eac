// Runs of steps without gradient, summed up. In: the steps made so far; out: for every step the
// weights and moments with which kernels::adam_skip carries a row from there to now in one go.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/adam.h"

namespace evenkeel::optim {

class SkippedSteps {
 public:
  // Up to where a row that stands at `last` replays step by step: early corrections vary fast. What
  // the sum leaves out from there on is below 1e-6 of the whole pull.
  static constexpr std::uint32_t replayed_until(std::uint32_t last) {
    return std::max(last, std::min(last + 40, 200U));
  }

  void reserve(std::size_t steps) { at_.reserve(steps); }
  // Takes in every step up to `until`; steps[t] are the rates of step t.
  void extend(const kernels::AdamRates& rates, const std::vector<kernels::AdamStep>& steps,
              std::uint32_t until);
  // From `last` (at least 1) to where extend() has come.
  kernels::AdamSkip from(const kernels::AdamRates& rates, std::uint32_t last) const;

 private:
  // A pull fades by 0.9 per step: after 200 steps 7e-10 of it are left and the sum is done.
  static constexpr std::uint32_t kWindow = 200;
  struct Sums {  // of w, w y, w y^2, w / (1 + y) with y = x / x_0 - 1, so that nothing cancels
    double weight = 0, first = 0, second = 0, inverse = 0;
  };
  void add(const kernels::AdamStep& step, double start, std::uint32_t missed, Sums& sums) const;
  void tabulate_powers(const kernels::AdamRates& rates);

  struct Moments {
    float weight = 0, mean = 0, second = 0, third = 0;
  };
  std::vector<Moments> at_;              // by step
  std::array<Sums, kWindow> open_{};     // of the last kWindow steps, by step % kWindow
  std::vector<double> decay1_, decay2_;  // beta1^j, beta2^(j/2) for j <= kWindow
  std::uint32_t until_ = 0;
};

}  // namespace evenkeel::optim
