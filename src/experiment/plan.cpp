// In: a plan. Out: its cells and the settings of every run.
#include "experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "train/run.h"

namespace evenkeel::experiment {
namespace {

bool takes_part(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void apply(const Options& options, Settings& settings) {
  for (const Option& option : options) settings.set(option.name, option.value);
}

}  // namespace

std::vector<Cell> cells_of(const Plan& plan, const DataPlan& data, const EncoderPlan& encoder) {
  std::vector<Cell> cells;
  for (const MethodPlan& method : plan.methods) {
    if (takes_part(method.data, data.name) && takes_part(method.encoders, encoder.name)) {
      cells.push_back({&data, &encoder, &method});
    }
  }
  return cells;
}

Settings settings_of(const Plan& plan, const Cell& cell, const Options& candidate,
                     std::uint64_t seed) {
  Settings settings = train::run_settings();
  for (const Options* options : {&plan.common, &cell.data->options, &cell.encoder->options,
                                 &cell.method->options, &candidate}) {
    apply(*options, settings);
  }
  settings.set("seed", Value(static_cast<std::int64_t>(seed)));
  return settings;
}

std::string options_text(const Options& options) {
  std::string text;
  for (const Option& option : options) {
    const auto* word = std::get_if<std::string>(&option.value);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", option.name,
                        word != nullptr ? *word : to_text(option.value));
  }
  return text;
}

}  // namespace evenkeel::experiment
