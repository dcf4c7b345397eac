// In: settings. Out: seconds, by constants fitted to measurements.
#include "experiment/cost_model.h"

#include <algorithm>
#include <charconv>

#include "base/threads.h"
#include "loss/registry.h"
#include "train/complete_settings.h"
#include "train/options.h"

namespace evenkeel::experiment {

// Fitted to docs/performance.md: microseconds per sample on two cores at d = 64.
double expected_seconds(const Settings& given, std::size_t interactions) {
  constexpr double kSample = 2.0, kOwn = 0.032, kShared = 0.006, kTile = 0.003, kGraph = 30.0;
  constexpr int kEpochs = 60;
  Settings settings = given;
  train::resolve_defaults(settings);
  if (!loss::find_loss(settings.text("loss")).trains()) return 1;
  const std::string& negatives = settings.text("negatives");
  double count = 4096, each = kTile;  // of in-batch and all
  std::size_t number = 0;
  if (std::from_chars(negatives.data(), negatives.data() + negatives.size(), number).ec ==
      std::errc()) {
    count = static_cast<double>(number);
    each = settings.flag("shared-negatives") ? kShared : kOwn;
  }
  double micros = kSample + each * count * static_cast<double>(settings.integer("dim")) / 64;
  if (settings.text("encoder") != "mf") micros += kGraph;
  const auto epochs =
      static_cast<double>(std::min<std::int64_t>(kEpochs, settings.integer("epochs")));
  return 1 + micros * 1e-6 * static_cast<double>(interactions) * epochs * 2 / available_cores();
}

}  // namespace evenkeel::experiment
