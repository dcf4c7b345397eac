// Extractors of several runs. In: runs that differ in what the extractor does not see, as those of
// a search do; out: one training of it for all of them.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/function_ref.h"
#include "base/settings.h"
#include "train/extractor.h"

namespace evenkeel::train {

class SharedExtractors {
 public:
  // The tables for a run on `data`: from `train`, or from the run before that asked for the same
  // ones. Runs at once that need the same tables wait for the first; its error is its own.
  ExtractorTables tables(const data::Dataset& data, const Settings& settings,
                         FunctionRef<ExtractorTables()> train);

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<ExtractorTables> tables;
  };
  std::mutex mutex_;  // of the map; each slot has its own
  std::map<std::string, Slot> slots_;
};

}  // namespace evenkeel::train
