// What a refit carries from choosing the epoch to training on everything. In: a training with
// validation; out: selection.json, or the same read back and checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/settings.h"
#include "data/dataset.h"
#include "train/run_result.h"

namespace evenkeel::train {

// NOLINTNEXTLINE(bugprone-exception-escape): to move a json value does not throw
struct Selection {
  int best_epoch = 0;
  nlohmann::json figures;  // "evaluations" and "groups", measured before the refit
  nlohmann::json chosen;   // what the method chose on validation
  Effort effort;
  std::vector<std::string> events;
};

void save_selection(const Selection& selection, const Settings& settings, const data::Dataset& data,
                    const std::string& path);

// Throws a config error when the settings or the data are others, a data error when it is damaged.
Selection load_selection(const Settings& settings, const data::Dataset& data,
                         const std::string& path);

// The settings of the second training: no validation, as many epochs as were chosen.
Settings refit_settings(const Settings& settings, const Selection& selection);

}  // namespace evenkeel::train
