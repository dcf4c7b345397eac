// Options by name. In: names and values as text, as on the command line without the dashes; out:
// the list of what there is. docs/options.md explains each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "evenkeel/export.h"

namespace evenkeel {

/// `{{"loss", "bc"}, {"epochs", "20"}}` is `--loss bc --epochs 20`; flags take "true" or "false".
/// A name that nobody knows and a value out of its range are refused, never ignored.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct OptionInfo {
  std::string name;
  std::string default_value;         ///< as text; what holds where the option is not given
  std::string help;                  ///< one line
  std::vector<std::string> choices;  ///< of options with fixed words; empty otherwise
};

/// Every option of train_recommender(), those of reading included.
EVENKEEL_API std::vector<OptionInfo> training_options();
/// The options that say how a file is read: those of InteractionLog::read() and
/// MeasureOptions::reading.
EVENKEEL_API std::vector<OptionInfo> reading_options();

/// "0.1.0"
EVENKEEL_API std::string version();

}  // namespace evenkeel
