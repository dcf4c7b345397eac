// What an experiment tells the outside while it works. In: runs that start, move and end; out:
// whatever the listener makes of it. Calls come one at a time, from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "train/observer.h"

namespace evenkeel::experiment {

struct RunProgress {
  std::string_view label;    // "Yahoo!R3 MF bc tau 0.1"
  std::size_t done = 0;      // runs of the experiment that are over, known ones included
  std::size_t total = 0;     // runs it will have, as far as known
  double seconds_left = -1;  // rough; below 0: nothing known yet
};

class ExperimentObserver {
 public:
  virtual ~ExperimentObserver() = default;
  virtual void on_message(std::string_view) {}
  virtual void on_run_start(const RunProgress&) {}
  virtual void on_run_epoch(const RunProgress&, const train::EpochProgress&) {}
  virtual void on_run_end(const RunProgress&, std::string_view) {}  // and how it ended
};

}  // namespace evenkeel::experiment
