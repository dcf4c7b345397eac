// Whole training steps. In: a shape and a case; out: its rate, what bounds it, and how both grow.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bound.h"
#include "data/dataset.h"

namespace evenkeel::bench {

using Options = std::vector<std::pair<std::string_view, std::string>>;

struct Case {
  std::string name;
  Options options;
  Work work;  // what a step has to do
  int steps = 0;
};

// The cases of the table, for tables of `dim` columns.
std::vector<Case> training_cases(std::size_t dim);
Case own_negatives(std::size_t negatives, std::size_t dim);

struct Rate {
  double positives = 0;    // a second: the lower quartile of steps after the warm-up
  double peak_memory = 0;  // bytes of this process above what it had before
  double handover = 0;     // nanoseconds from core to core, right after the steps
};
double memory(const std::string& name);  // a line of /proc/self/status in bytes; 0: no such line
void reset_peak();                       // VmHWM starts anew
Rate measure(const data::Dataset& data, const Case& one, int threads);

}  // namespace evenkeel::bench
