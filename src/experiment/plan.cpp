// In: a plan. Out: its cells and the settings of every run.
#include "experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "train/run.h"

namespace evenkeel::experiment {
namespace {

bool takes_part(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Thing>
bool has_name(const std::vector<Thing>& things, const std::string& name) {
  return std::any_of(things.begin(), things.end(),
                     [&](const Thing& thing) { return thing.name == name; });
}

// Keeps the things that are named, if any of them is.
template <typename Thing>
void keep_named(std::vector<Thing>& things, const std::vector<std::string>& names) {
  const auto is_kept = [&](const Thing& thing) {
    return std::find(names.begin(), names.end(), thing.name) != names.end();
  };
  if (!std::any_of(things.begin(), things.end(), is_kept)) return;
  std::erase_if(things, [&](const Thing& thing) { return !is_kept(thing); });
}

void apply(const Options& options, Settings& settings) {
  for (const Option& option : options) settings.set(option.name, option.value);
}

}  // namespace

Plan only_these(Plan plan, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (has_name(plan.data, name) || has_name(plan.encoders, name)) continue;
    std::vector<std::string_view> known;
    for (const DataPlan& data : plan.data) known.push_back(data.name);
    for (const EncoderPlan& encoder : plan.encoders) known.push_back(encoder.name);
    fail_config("--only: {}", unknown_name("data set or encoder", name, known));
  }
  keep_named(plan.data, names);
  keep_named(plan.encoders, names);
  return plan;
}

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
