// Which of two ways to do the same work is the faster one here and now. In: how long runs took;
// out: the way of the next run. Both ways must lead to the same result: what this says depends on
// the machine and on the moment.
#pragma once

#include <algorithm>
#include <limits>

namespace evenkeel {

class TimedChoice {
 public:
  // Whether the next run should go the second way.
  bool use_second() const { return turn_ < kTrial ? !preferred_ : preferred_; }

  // The run that just ended; 0 or less: unknown. Runs go the other way for a few turns, then the
  // preferred one for as many, and the faster is preferred for the rest of the period.
  void record(double seconds) {
    const bool settled = turn_ != 0 && turn_ != kTrial;  // a first turn still feels the other way
    if (turn_ < 2 * kTrial && settled && seconds > 0) {
      double& best = turn_ < kTrial ? other_ : own_;
      best = std::min(best, seconds);
    }
    if (++turn_ == 2 * kTrial && other_ < kGain * own_) preferred_ = !preferred_;
    if (turn_ == kPeriod) restart();
  }

 private:
  static constexpr int kTrial = 4, kPeriod = 256;
  static constexpr double kGain = 0.97;  // less is not worth a change
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  void restart() {
    turn_ = 0;
    own_ = other_ = kUnknown;
  }

  bool preferred_ = false;  // the second way
  int turn_ = 0;
  double own_ = kUnknown, other_ = kUnknown;  // best of this period's trials
};

}  // namespace evenkeel
